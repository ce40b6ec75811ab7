import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandEnd } from "@/lib/core/command-line";
import type { Env } from "@/lib/core/env";
import type { PrismaClient } from "./generated/client";
import type { Dialect, Sql } from "./sql";
import type { WriteQueue } from "./write-queue";

/**
 * A connection that writes and one, or on PostgreSQL a few, that cannot: all writes go through `inTransaction` on
 * `writer`, and everything else reads from `reader`, which sees only what is committed.
 */
export type Database = {
  dialect: Dialect;
  reader: PrismaClient;
  writer: PrismaClient;
  /** Folder of the instance's keys. */
  keyFolder: string;
  /** Folder of this process's own, for what can be made anew. */
  workFolder: string;
  /** Plain SQL on the reading connection, and inside a transaction. Verbs ask `sqlOf`. */
  readSql: Sql;
  writeSql: Sql;
  /** Where `inTransaction` gets its turn. */
  writes: WriteQueue;
  /** Where the processes of one instance tell each other things; null where there is only one process. */
  openChannel: ((hear: (text: string | null) => void) => Promise<Channel>) | null;
  close(): Promise<void>;
};

/** What is sent reaches every other process, whole or not at all; `hear(null)` says that something may have been missed. */
export type Channel = { send(text: string): void; close(): Promise<void> };

/** Where a database is, without the folders that belong to it. */
export type DatabasePlace = { file: string } | { url: string };

export type DatabaseAddress =
  | {
      /** Path of the SQLite file. */
      file: string;
      /** Folder of the instance's keys; the file's own when left out. */
      keyFolder?: string;
      workFolder?: string;
      /** `full` survives power loss; `off` is for tests. */
      synchronous?: "full" | "off";
    }
  | {
      /** `postgresql://…` */
      url: string;
      keyFolder: string;
      /** The folder of the keys when left out. */
      workFolder?: string;
    };

/** `DATABASE_URL` (`postgresql://…` or `file:…`), else the file `skillgate.db` in the data directory. */
export function databaseAddress({
  DATABASE_URL: url,
  dataDir,
  keyDir,
}: Pick<Env, "DATABASE_URL" | "dataDir" | "keyDir">): DatabaseAddress {
  const folders = { keyFolder: keyDir, workFolder: dataDir };
  if (url !== undefined && !url.startsWith("file:")) return { url, ...folders };
  return { file: url?.replace(/^file:/, "") ?? join(dataDir, "skillgate.db"), ...folders };
}

/** The same for a command that works on what is there. Throws `CommandEnd` when there is no such file. */
export function existingDatabase(env: Parameters<typeof databaseAddress>[0]): DatabaseAddress {
  const address = databaseAddress(env);
  if ("file" in address && !existsSync(address.file)) throw new CommandEnd(`There is no database ${address.file}.`, 2);
  return address;
}
