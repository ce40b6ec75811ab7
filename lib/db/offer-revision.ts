import type { Ctx } from "./context";
import { query, sqlOf } from "./sql";

const RAISE = query(`UPDATE "OfferRevision" SET "value" = "value" + 1`);
const REVISION = query<{ value: number }>(`SELECT "value" FROM "OfferRevision"`);

/**
 * A number that grows with each committed change of what agents may be offered: skills that are on, their approved versions,
 * personas, settings, adoptions, overlays. What was read after it may be kept under it, and is stale once it has grown.
 */
export async function readOfferRevision(ctx: Pick<Ctx, "database" | "tx">): Promise<number> {
  const row = await sqlOf(ctx).get(REVISION);
  return row?.value ?? 0;
}

/** Raises it for a change of what agents may be offered that no trigger notices. Only inside a transaction. */
export async function raiseOfferRevision(ctx: Pick<Ctx, "database" | "tx">): Promise<void> {
  await sqlOf(ctx).run(RAISE);
}
