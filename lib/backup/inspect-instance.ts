import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { z } from "zod";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { HEADS_FILE } from "@/lib/audit/chain/heads";
import type { Env } from "@/lib/core/env";
import { SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import { databaseAddress } from "@/lib/db/database";
import { backupsFolderOf } from "./instance";
import { readBackups } from "./read-backups";
import { runInChildProcess, TaskTimeout } from "./sqlite-copier";

/** Up to this size, checking every page is faster than starting a process. */
const MAX_IN_PROCESS_BYTES = 48 * 1024 * 1024;
/** Maximum delay of a start; the weekly job completes the check. */
const CHECK_TIMEOUT_MS = 4_000;
const MAX_PROBLEMS = 3;

const Problems = z.object({ problems: z.array(z.string()) });

const KEYS = [
  {
    file: CHAIN_KEY_FILE,
    made: `SELECT 1 FROM "AuditEvent" WHERE "hash" IS NOT NULL LIMIT 1`,
    what: "the audit log is chained with it",
  },
  { file: SIGNING_KEY_FILE, made: `SELECT 1 FROM "ReviewKey" LIMIT 1`, what: "approvals are signed with it" },
  { file: "secrets.key", made: `SELECT 1 FROM "Credential" LIMIT 1`, what: "stored credentials are sealed with it" },
] as const;

/**
 * Checks the SQLite database and the keys before anything is written: a damaged or missing database, and missing keys.
 * Returns the problems with advice for people. Writes nothing and takes at most four seconds.
 */
export async function inspectInstance(env: Env): Promise<string[]> {
  const address = databaseAddress(env);
  if (!("file" in address)) return [];
  const { file } = address;
  const problems = isEmpty(file) ? missing(file, env.keyDir) : await damage(file);
  if (problems.length === 0 && !isEmpty(file)) problems.push(...missingKeys(file, env));
  return problems.length === 0 ? [] : [...problems, ...(await restoreAdvice(env))];
}

function isEmpty(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** A new file would silently begin a new instance. */
function missing(file: string, keyDir: string): string[] {
  const heads = join(keyDir, HEADS_FILE);
  const last = existsSync(heads) ? /.*"kind":"head".*"seq":(\d+)/s.exec(readFileSync(heads, "utf8"))?.[1] : undefined;
  if (last === undefined || !existsSync(join(keyDir, CHAIN_KEY_FILE))) return [];
  const what = existsSync(file) ? "is empty" : "is missing";
  return [
    `The database ${file} ${what}, but ${HEADS_FILE} next to it records ${last} audit events. No new database was created.`,
  ];
}

async function damage(file: string): Promise<string[]> {
  try {
    const found = statSync(file).size <= MAX_IN_PROCESS_BYTES ? checkInProcess(file) : await checkInChildProcess(file);
    if (found.length === 0) return [];
    return [
      `The database ${file} is damaged; nothing was written to it.`,
      ...found.slice(0, MAX_PROBLEMS).map((line) => `  ${line}`),
    ];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(code)) throw error;
    const why = code.startsWith("SQLITE_NOTADB") ? "it is not a database file" : "its pages are inconsistent";
    return [`The database ${file} is damaged (${why}); nothing was written to it.`];
  }
}

function checkInProcess(file: string): string[] {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    const rows = z.array(z.record(z.string(), z.string())).parse(db.pragma(`quick_check(${MAX_PROBLEMS})`));
    return rows.flatMap((row) => Object.values(row)).filter((line) => line !== "ok");
  } finally {
    db.close();
  }
}

async function checkInChildProcess(file: string): Promise<string[]> {
  try {
    return (await runInChildProcess({ task: "check", file, quick: true }, Problems, CHECK_TIMEOUT_MS)).problems;
  } catch (error) {
    if (error instanceof TaskTimeout) return [];
    throw error;
  }
}

function missingKeys(file: string, { keyDir, SKILLGATE_ACCEPT_LOST_KEYS: isAccepted }: Env): string[] {
  const gone = KEYS.filter((key) => !existsSync(join(keyDir, key.file)));
  if (gone.length === 0) return [];
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    const lost = gone
      .filter(({ made }) => hasRow(db, made))
      .filter((key) => key.file === CHAIN_KEY_FILE || !isAccepted);
    if (lost.length === 0) return [];
    const names = lost.map((key) => `  ${join(keyDir, key.file)} is missing: ${key.what}.`);
    const isFinal = lost.some((key) => key.file === CHAIN_KEY_FILE);
    const otherwise = isFinal
      ? []
      : ["To start without them, and repeat what they signed or sealed: SKILLGATE_ACCEPT_LOST_KEYS=true npm start"];
    return ["Keys of this instance are missing. Restore them from a backup.", ...names, ...otherwise];
  } finally {
    db.close();
  }
}

/** False also when an older release lacks the table. */
function hasRow(db: Sqlite.Database, sql: string): boolean {
  try {
    return db.prepare(sql).get() !== undefined;
  } catch {
    return false;
  }
}

async function restoreAdvice(env: Env): Promise<string[]> {
  const folder = backupsFolderOf(env);
  const newest = (await readBackups(folder)).filter(({ verified }) => verified).slice(0, 3);
  const [first] = newest;
  if (first === undefined)
    return [
      `There is no backup in ${folder}. If there is one elsewhere: npm run restore -- FOLDER --data ${env.dataDir} --replace`,
    ];
  return [
    "Newest backups:",
    ...newest.map(({ path, at, auditSeq }) => `  ${path} (${at}, audit up to event ${auditSeq})`),
    `To restore the newest and move the present directory aside: npm run restore -- ${first.path} --data ${env.dataDir} --replace`,
  ];
}
