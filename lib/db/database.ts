import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandEnd } from "@/lib/core/command-line";
import type { Env } from "@/lib/core/env";
import type { PrismaClient } from "./generated/client";
import type { Dialect, Sql } from "./sql";
import type { WriteQueue } from "./write-queue";

/**
 * A writing connection and one reading connection (a few on PostgreSQL). All writes go through `inTransaction` on
 * `writer`; everything else reads committed data from `reader`.
 */
export type Database = {
  dialect: Dialect;
  reader: PrismaClient;
  writer: PrismaClient;
  keyFolder: string;
  /** Folder of this process for data that can be rebuilt. */
  workFolder: string;
  /** Plain SQL on the reading connection, and inside a transaction. Callers use `sqlOf`. */
  readSql: Sql;
  writeSql: Sql;
  writes: WriteQueue;
  /** Differs after each commit, of any process, that reads can see. Read it before the data that is kept under it. */
  readRevision(): Promise<string>;
  /** Number of the audit chain that this process extends. Inside a transaction. */
  chain(): number;
  /** Resolves once every transaction that was open, in any process, has ended. Never inside a transaction. */
  settle(): Promise<void>;
  /** Channel between the processes of an instance; null when there is only one process. */
  openChannel: ((receive: (text: string | null) => void) => Promise<Channel>) | null;
  close(): Promise<void>;
};

/** Messages reach all other processes, whole or not at all; `receive(null)` means that some may have been lost. */
export type Channel = { send(text: string): void; close(): Promise<void> };

export type DatabasePlace = { file: string } | { url: string };

export type DatabaseAddress =
  | {
      file: string;
      /** Folder of the instance's keys; defaults to the file's folder. */
      keyFolder?: string;
      workFolder?: string;
      /** `full` survives power loss; `off` is for tests. */
      synchronous?: "full" | "off";
    }
  | {
      url: string;
      keyFolder: string;
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

/** Address of an existing database, for commands. Throws `CommandEnd` without such a file. */
export function existingDatabase(env: Parameters<typeof databaseAddress>[0]): DatabaseAddress {
  const address = databaseAddress(env);
  if ("file" in address && !existsSync(address.file)) throw new CommandEnd(`There is no database ${address.file}.`, 2);
  return address;
}
