import type { Ctx } from "@/lib/db/context";
import { chainKeyOf } from "./chain-key";
import { GENESIS, hashEvent } from "./hash-event";
import { readEvents } from "./read-events";

/**
 * Whether an event is what was written: its hash is that of its columns, and follows the hash of the event before. Null for
 * one that is not chained, or whose event before was sealed.
 */
export async function holdsInChain(ctx: Ctx, seq: number): Promise<boolean | null> {
  const range = { after: seq - 2, until: seq };
  for await (const rows of readEvents(ctx.database.readSql, range)) {
    const [event, before] = [rows.at(-1), rows.at(-2)];
    if (event === undefined || event.hash === null || (before === undefined && seq > 1)) return null;
    const prevHash = before?.hash ?? GENESIS;
    return event.prevHash === prevHash && event.hash === hashEvent(await chainKeyOf(ctx.database), event, prevHash);
  }
  return null;
}
