import type { Ctx } from "./context";
import { query, type Sql, sqlOf } from "./sql";

const RAISE = query(`UPDATE "OfferRevision" SET "value" = "value" + 1`);
const RAISE_ABOVE = query(
  `INSERT INTO "OfferRevision" AS r ("id", "value") VALUES (1, ?)
   ON CONFLICT ("id") DO UPDATE SET "value" = CASE WHEN r."value" < excluded."value" THEN excluded."value" ELSE r."value" END + 1`,
);
const REVISION = query<{ value: number }>(`SELECT "value" FROM "OfferRevision"`);

/**
 * Revision that grows with each committed change of what agents and distribution clients may be offered: enabled skills,
 * approved versions and their approvals, publishers, personas, settings, adoptions, overlays. Cache what is read after it
 * under this number.
 */
export async function readOfferRevision(ctx: Pick<Ctx, "database" | "tx">): Promise<number> {
  const row = await sqlOf(ctx).get(REVISION);
  return row?.value ?? 0;
}

/** Raises the revision for a change that no trigger covers. Only inside a transaction. */
export async function raiseOfferRevision(ctx: Pick<Ctx, "database" | "tx">): Promise<void> {
  await sqlOf(ctx).run(RAISE);
}

/** Returns what is wrong with the revision as a sentence; null when it exists. */
export async function checkOfferRevision(sql: Sql): Promise<string | null> {
  return (await sql.get(REVISION)) === undefined ? "the revision of agent offers is missing" : null;
}

/** Creates the revision if missing, and raises it above `atLeast`. Only inside a transaction. */
export async function rebuildOfferRevision(sql: Sql, { atLeast = 0 } = {}): Promise<void> {
  await sql.run(RAISE_ABOVE, atLeast);
}
