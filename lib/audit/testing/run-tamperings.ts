import type { KeyObject } from "node:crypto";
import type Sqlite from "better-sqlite3";
import { sqliteSql } from "@/lib/db/sqlite-adapter";
import { readEvents } from "../chain/chain-events";
import type { Heads } from "../chain/heads";
import type { BrokenEvent } from "../chain/schema";
import { verifyChain } from "../chain/verify-chain";
import { type Random, TAMPERINGS, type Tampering } from "./tamper-audit";

type Sample = { db: Sqlite.Database; key: KeyObject; heads: Heads; skipChecks?: boolean };

export async function findBroken({ db, key, heads, skipChecks = false }: Sample): Promise<BrokenEvent | null> {
  const events = readEvents(sqliteSql(db, { writes: false }), {
    after: Number.MIN_SAFE_INTEGER,
    until: Number.MAX_SAFE_INTEGER,
  });
  const given = skipChecks ? {} : { heads };
  const result = await verifyChain({ key, signer: null, segments: [], folder: null, events, skipChecks, ...given });
  return result.firstBroken;
}

export type Tampered = { kind: Tampering; what: string; found: BrokenEvent | null };

/** Tampers with a copy in each way, verifies it, and undoes the change before the next one. */
export async function runTamperings(
  sample: Sample,
  { times, random }: { times: number; random: Random },
): Promise<Tampered[]> {
  const kinds = Object.keys(TAMPERINGS) as Tampering[];
  const outcomes: Tampered[] = [];
  for (let turn = 0; turn < times; turn++) {
    const kind = kinds[turn % kinds.length] as Tampering;
    sample.db.exec("BEGIN");
    try {
      const what = TAMPERINGS[kind](sample.db, random);
      outcomes.push({ kind, what, found: await findBroken(sample) });
    } finally {
      sample.db.exec("ROLLBACK");
    }
  }
  return outcomes;
}
