import type { KeyObject } from "node:crypto";
import type { Ctx } from "@/lib/db/context";
import { GENESIS, hashEvent, readEvents, type StoredEvent } from "./chain-events";
import { chainKeyOf } from "./chain-key";

/** Null for an event that is not chained or whose predecessor was sealed. */
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

type Neighbours = { before: unknown; after: unknown };

/** The hash covers the number, so a copy at another number is invalid. Without the key only links are compared. */
export function isIntactLink(
  key: KeyObject | null,
  event: StoredEvent,
  { before = GENESIS, after }: Neighbours,
): boolean {
  if (event.hash === null || event.prevHash !== before) return false;
  if (after !== undefined && after !== event.hash) return false;
  return key === null || event.hash === hashEvent(key, event, before);
}
