import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "@/lib/core/env";
import { databaseAddress } from "@/lib/db/database-address";
import type { DatabaseCopier } from "./database-copier";
import { postgresCopier } from "./postgres/postgres-copier";
import { sqliteCopier } from "./sqlite/sqlite-copier";

/** What there is to back up, and where backups go. */
export type Instance = {
  dataDir: string;
  /** Folder of keys, heads and sealed events; the data directory itself unless several processes share one. */
  keyDir: string;
  database: DatabaseCopier;
  backups: string;
};

type Place = Pick<Env, "DATABASE_URL" | "dataDir" | "keyDir">;

/** The instance that this environment names. */
export function instanceOf(env: Place & Pick<Env, "SKILLGATE_BACKUPS">): Instance {
  const { dataDir, keyDir } = env;
  return { dataDir, keyDir, database: copierOf(env), backups: backupsFolderOf(env) };
}

function copierOf(env: Place): DatabaseCopier {
  const address = databaseAddress(env);
  return "file" in address ? sqliteCopier(address.file) : postgresCopier(address.url);
}

/** Folder of backups: `SKILLGATE_BACKUPS`, else one beside the data directory, with `-backups` after its name. */
export function backupsFolderOf({ SKILLGATE_BACKUPS, dataDir }: Pick<Env, "SKILLGATE_BACKUPS" | "dataDir">): string {
  return SKILLGATE_BACKUPS === undefined
    ? join(dirname(dataDir), `${basename(dataDir)}-backups`)
    : resolve(SKILLGATE_BACKUPS);
}
