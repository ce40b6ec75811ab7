import type { KeyObject } from "node:crypto";
import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { GENESIS, hashEvent, placeOf, readEvents, type StoredEvent } from "./chain-events";
import { chainKeyOf } from "./chain-key";

const BEFORE = query<{ hash: string | null }>(
  `SELECT "hash" FROM "AuditEvent" WHERE "chain" = ? AND COALESCE("place", "seq") = ?`,
);

/** Null for an event that is not chained or whose predecessor was sealed. */
export async function verifyEvent(ctx: Ctx, seq: number): Promise<boolean | null> {
  const { readSql: sql } = ctx.database;
  for await (const [event] of readEvents(sql, { after: seq - 1, until: seq })) {
    if (event === undefined || event.hash === null) return null;
    const { chain, place } = placeOf(event);
    const before = await sql.get(BEFORE, chain, place - 1);
    if (before === undefined && place > 1) return null;
    const prevHash = before?.hash ?? GENESIS;
    return event.prevHash === prevHash && event.hash === hashEvent(await chainKeyOf(ctx.database), event, prevHash);
  }
  return null;
}

type Neighbours = { before: unknown; after: unknown };

/** The hash covers number, chain and place, so a copy elsewhere is invalid. Without the key only links are compared. */
export function isIntactLink(
  key: KeyObject | null,
  event: StoredEvent,
  { before = GENESIS, after }: Neighbours,
): boolean {
  if (event.hash === null || event.prevHash !== before) return false;
  if (after !== undefined && after !== event.hash) return false;
  return key === null || event.hash === hashEvent(key, event, before);
}
