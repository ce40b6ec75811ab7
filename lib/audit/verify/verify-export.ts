import type { KeyObject } from "node:crypto";
import { checkChain } from "../chain/check-chain";
import type { StoredEvent } from "../chain/event-columns";
import type { ChainResult } from "../chain/verify-chain";

/**
 * Checks an exported file with nothing but the chain's key. The export may begin anywhere; from its first event on none may
 * be missing, so an export with filters does not hold as a chain. Whether something came after it, it cannot say.
 */
export async function verifyExport(key: KeyObject, batches: AsyncIterable<StoredEvent[]>): Promise<ChainResult> {
  const check = checkChain({ key, signed: new Map() });
  let firstBroken: ChainResult["firstBroken"] = null;
  let isFirst = true;
  for await (const rows of batches) {
    const [first] = rows;
    if (isFirst && first) check.skip({ seq: Number(first.seq) - 1, hash: String(first.prevHash) });
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
