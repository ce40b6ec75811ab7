import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { keyIdOf, SIGNING_KEY_FILE } from "@/lib/core/signing-key";
import { sqliteSql } from "@/lib/db/sqlite-sql";
import { CHAIN_KEY_FILE, parseKey } from "../chain/chain-key";
import { headsFileOf, parseHeads } from "../chain/heads-file";
import { readEvents } from "../chain/read-events";
import { type ChainResult, type SegmentRow, verifyChain } from "../chain/verify-chain";

/**
 * Checks the audit of a data directory, also beside a running server: what comes meanwhile is left out. Writes nothing.
 * Throws when there is no database or no chain key.
 */
export async function verifyFolder(dataDir: string, databaseFile: string): Promise<ChainResult> {
  const key = parseKey(readFileSync(join(dataDir, CHAIN_KEY_FILE), "utf8"));
  const db = new Sqlite(databaseFile, { readonly: true, fileMustExist: true });
  try {
    const signer = signerOf(dataDir, db);
    const file = headsFileOf(dataDir);
    const text = existsSync(file) ? readFileSync(file, "utf8") : null;
    const heads =
      text === null
        ? null
        : signer === null
          ? { lines: [], problem: "there is no key to check it" }
          : parseHeads(text, signer);
    // One reading transaction: rows that are sealed meanwhile neither vanish nor count twice.
    db.exec("BEGIN");
    const segments = db
      .prepare<[], SegmentRow>(
        `SELECT "fromSeq", "toSeq", "prevHash", "lastHash", "manifest" FROM "AuditSegment" ORDER BY "fromSeq"`,
      )
      .all();
    const range = { after: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER };
    const events = readEvents(sqliteSql(db, { writes: false }), range);
    return await verifyChain({ key, signer, heads, segments, folder: dataDir, events });
  } finally {
    db.close();
  }
}

/** From the private key's file, else the newest public key the database knows. */
function signerOf(dataDir: string, db: Sqlite.Database): { keyId: string; publicKey: KeyObject } | null {
  const file = join(dataDir, SIGNING_KEY_FILE);
  const stored = db
    .prepare<[], { publicKey: string }>(`SELECT publicKey FROM "ReviewKey" ORDER BY createdAt DESC LIMIT 1`)
    .get();
  const publicKey = existsSync(file)
    ? createPublicKey(createPrivateKey(readFileSync(file)))
    : stored && createPublicKey(stored.publicKey);
  return publicKey ? { keyId: keyIdOf(publicKey), publicKey } : null;
}
