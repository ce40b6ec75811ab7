import type { KeyObject } from "node:crypto";
import type { Ctx } from "@/lib/db/context";
import { GENESIS, hashEvent, readEvents, type StoredEvent } from "./chain-events";
import { chainKeyOf } from "./chain-key";

/**
 * Whether an event is what was written: its hash is that of its columns, and follows the hash of the event before. Null for
 * one that is not chained, or whose event before was sealed.
 */
export async function verifyEvent(ctx: Ctx, seq: number): Promise<boolean | null> {
  const range = { after: seq - 2, until: seq };
  for await (const rows of readEvents(ctx.database.readSql, range)) {
    const [event, before] = [rows.at(-1), rows.at(-2)];
    if (event === undefined || event.hash === null || (before === undefined && seq > 1)) return null;
    const prevHash = before?.hash ?? GENESIS;
    return event.prevHash === prevHash && event.hash === hashEvent(await chainKeyOf(ctx.database), event, prevHash);
  }
  return null;
}

/** What stands next to an event: the hash of the one before, and the `prevHash` of the one after; undefined where there is none. */
type Around = { before: unknown; after: unknown };

/**
 * Whether an event is what was written at its place, and both neighbours still stand there. Its number is in its hash, so a
 * copy in another place is none. Without the key only the links are compared.
 */
export function isIntactLink(key: KeyObject | null, event: StoredEvent, { before = GENESIS, after }: Around): boolean {
  if (event.hash === null || event.prevHash !== before) return false;
  if (after !== undefined && after !== event.hash) return false;
  return key === null || event.hash === hashEvent(key, event, before);
}
