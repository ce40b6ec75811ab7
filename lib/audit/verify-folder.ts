import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyIdOf, SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import type { DatabasePlace } from "@/lib/db/database";
import { openReader } from "@/lib/db/open-database";
import { query, type Sql } from "@/lib/db/sql";
import type { StoredEvent } from "./chain/chain-events";
import { readEvents } from "./chain/chain-events";
import { CHAIN_KEY_FILE, parseKey } from "./chain/chain-key";
import { checkChain } from "./chain/check-chain";
import { headsFileOf, parseHeads } from "./chain/heads";
import { type ChainResult, readSegments, verifyChain } from "./chain/verify-chain";

const NEWEST_KEY = query<{ publicKey: string }>(
  `SELECT "publicKey" FROM "ReviewKey" ORDER BY "createdAt" DESC LIMIT 1`,
);

/**
 * Verifies the audit log of a database with the keys of a folder, also beside a running server: later events are ignored, and rows
 * sealed meanwhile are neither lost nor counted twice. Writes nothing. Awaits `onProgress` after each batch. Throws without a
 * database or chain key.
 */
export async function verifyFolder(
  keyFolder: string,
  database: DatabasePlace,
  onProgress?: (checked: number) => Promise<void>,
): Promise<ChainResult> {
  const key = parseKey(readFileSync(join(keyFolder, CHAIN_KEY_FILE), "utf8"));
  const { sql, close } = await openReader(database);
  try {
    const signer = await signerOf(keyFolder, sql);
    const file = headsFileOf(keyFolder);
    const text = existsSync(file) ? readFileSync(file, "utf8") : null;
    const heads =
      text === null
        ? null
        : signer === null
          ? { lines: [], problem: "the key to check it is missing" }
          : parseHeads(text, signer);
    const segments = await readSegments(sql);
    const events = readEvents(sql, { after: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER });
    const progress = onProgress === undefined ? {} : { onProgress };
    return await verifyChain({ key, signer, heads, segments, folder: keyFolder, events, ...progress });
  } finally {
    await close();
  }
}

/** Reads the public key from the private key's file, else the newest one from the database. */
async function signerOf(folder: string, sql: Sql): Promise<{ keyId: string; publicKey: KeyObject } | null> {
  const file = join(folder, SIGNING_KEY_FILE);
  const stored = await sql.get(NEWEST_KEY);
  const publicKey = existsSync(file)
    ? createPublicKey(createPrivateKey(readFileSync(file)))
    : stored && createPublicKey(stored.publicKey);
  return publicKey ? { keyId: keyIdOf(publicKey), publicKey } : null;
}

/**
 * The export must have no gaps, so filters make it invalid. One that begins with event 1 has each chain from its
 * beginning. Removed last events of a chain go undetected, and all of its events with them.
 */
export async function verifyExport(key: KeyObject, batches: AsyncIterable<StoredEvent[]>): Promise<ChainResult> {
  let check = checkChain({ key, signed: new Map() });
  let firstBroken: ChainResult["firstBroken"] = null;
  let isFirst = true;
  for await (const rows of batches) {
    const [first] = rows;
    if (isFirst && Number(first?.seq) !== 1) check = checkChain({ key, signed: new Map(), isExcerpt: true });
    isFirst = false;
    firstBroken = check.feed(rows);
    if (firstBroken !== null) break;
  }
  firstBroken ??= check.end();
  const { checked, last } = check;
  return {
    checked,
    firstBroken,
    head: null,
    unsigned: checked,
    chainedLater: 0,
    segments: { present: 0, absent: [] },
    last,
  };
}
