import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { chmod, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readKeyFile } from "@/lib/core/key-file";
import { storeOf } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { query, type Sql } from "@/lib/db/sql";
import { GENESIS, readNewest } from "./chain-events";
import { appendHead, headsFileOf } from "./heads";

/** File with 32 random bytes in base64url, mode 0600. */
export const CHAIN_KEY_FILE = "audit-chain.key";

type Database = Ctx["database"];

/**
 * The key that chains this instance's events, read once per process. It is created for an empty chain. Throws when the key is
 * missing although events were chained with it: with another key all of them would look forged.
 */
export function chainKeyOf(database: Database): Promise<KeyObject> {
  const kept = storeOf(database, "audit-chain-keys", (): { key: Promise<KeyObject> | null } => ({ key: null }));
  if (kept.key !== null) return kept.key;
  kept.key = loadOrBegin(database);
  kept.key.catch(() => {
    kept.key = null;
  });
  return kept.key;
}

/** The key in a folder; null without a file. Throws for an invalid file. */
export async function readChainKey(folder: string): Promise<KeyObject | null> {
  const file = join(folder, CHAIN_KEY_FILE);
  try {
    const key = parseKey(await readFile(file, "utf8"), file);
    await chmod(file, 0o600);
    return key;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const CHAINED = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" WHERE "hash" IS NOT NULL LIMIT 1`);
const SEALED = query<{ fromSeq: number }>(`SELECT "fromSeq" FROM "AuditSegment" LIMIT 1`);

async function loadOrBegin({ readSql: sql, keyFolder }: Database): Promise<KeyObject> {
  const known = await readChainKey(keyFolder);
  if (known !== null) return known;
  if (await isChained(sql)) {
    throw new Error(
      `${join(keyFolder, CHAIN_KEY_FILE)} is missing, but the audit log was chained with it. Restore the file from a backup of the data directory. Without it no event can be added to the audit log, so no change can be stored.`,
    );
  }
  // Written before the key: an existing key then implies that this line exists.
  await rm(headsFileOf(keyFolder), { force: true });
  const newest = await readNewest(sql);
  const begin = { seq: newest?.seq ?? 0, hash: GENESIS, at: new Date(), chains: null };
  await appendHead(keyFolder, await loadSigningKey(keyFolder), begin);
  return parseKey(await readKeyFile(keyFolder, CHAIN_KEY_FILE, () => randomBytes(32).toString("base64url")));
}

async function isChained(sql: Sql): Promise<boolean> {
  return (await sql.get(SEALED)) !== undefined || (await sql.get(CHAINED)) !== undefined;
}

/** Accepts a complete key only. Throws an error that names the file and the remedy. */
export function parseKey(text: string, file: string = CHAIN_KEY_FILE): KeyObject {
  const encoded = text.trim();
  if (!/^[A-Za-z0-9_-]{43}$/.test(encoded)) {
    throw new Error(
      `${file} does not hold 32 bytes in base64url. Restore the file from a backup; no new key can replace it. Without it no event can be added to the audit log, so no change can be stored.`,
    );
  }
  return createSecretKey(Buffer.from(encoded, "base64url"));
}
