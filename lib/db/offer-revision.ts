import type { Ctx } from "./context";
import { query, type Sql, sqlOf } from "./sql";

const RAISE = query(`UPDATE "OfferRevision" SET "value" = "value" + 1`);
const RAISE_ABOVE = query(
  `INSERT INTO "OfferRevision" AS r ("id", "value") VALUES (1, ?)
   ON CONFLICT ("id") DO UPDATE SET "value" = CASE WHEN r."value" < excluded."value" THEN excluded."value" ELSE r."value" END + 1`,
);
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

/** What is wrong with the revision, as a sentence; null when it is there to be raised. */
export async function checkOfferRevision(sql: Sql): Promise<string | null> {
  return (await sql.get(REVISION)) === undefined ? "what agents are offered has no revision" : null;
}

/** Makes the revision when there is none, and raises it, above `atLeast` too. Only inside a transaction. */
export async function rebuildOfferRevision(sql: Sql, { atLeast = 0 } = {}): Promise<void> {
  await sql.run(RAISE_ABOVE, atLeast);
}
