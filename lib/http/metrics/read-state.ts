import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

/** What the metrics say of the whole instance; every web process answers the same. */
export type InstanceState = {
  /** Of the states that end; how many runs ever ended is counted as they do. */
  runs: { awaiting_approval: number; queued: number; running: number };
  oldestQueuedSeconds: number;
  workers: { online: number; slots: number; busy: number };
  reviews: number;
  audit: { head: number; verified: { at: Date; ok: boolean } | null };
};

const COUNT = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "Run" WHERE "state" = ?`);
const OLDEST = query<{ queuedAt: Date | null }>(`SELECT MIN("queuedAt") AS "queuedAt" FROM "Run" WHERE "state" = ?`, {
  queuedAt: "date",
});
const WORKERS = query<{ online: number; slots: number | null }>(
  `SELECT COUNT(*) AS "online", SUM("slots") AS "slots" FROM "Worker" WHERE "revokedAt" IS NULL AND "lastSeenAt" >= ?`,
);
const BUSY = query<{ count: number }>(
  `SELECT COUNT(*) AS "count" FROM "Run" WHERE "state" = ? AND "workerId" IS NOT NULL`,
);
const REVIEWS = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "Version" WHERE "state" = ?`);
const HEAD = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);

/** Reads by indexes alone: nothing here grows with how many runs or events there ever were. */
export async function readState(ctx: Ctx): Promise<InstanceState> {
  const sql = sqlOf(ctx);
  const count = async (state: string) => (await sql.get(COUNT, state))?.count ?? 0;
  const oldest = (await sql.get(OLDEST, "queued"))?.queuedAt ?? null;
  const online = await sql.get(WORKERS, new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000));
  return {
    runs: {
      awaiting_approval: await count("awaiting_approval"),
      queued: await count("queued"),
      running: await count("running"),
    },
    oldestQueuedSeconds: oldest === null ? 0 : Math.max(0, ctx.now().getTime() - oldest.getTime()) / 1000,
    workers: {
      online: online?.online ?? 0,
      slots: online?.slots ?? 0,
      busy: (await sql.get(BUSY, "running"))?.count ?? 0,
    },
    reviews: (await sql.get(REVIEWS, "pending"))?.count ?? 0,
    audit: { head: (await sql.get(HEAD))?.seq ?? 0, verified: await lastVerified(ctx) },
  };
}

type Verified = { at: Date; outcome: string };

/** The last verification that is on record: by its term, as a filter of the audit finds it. */
async function lastVerified(ctx: Ctx): Promise<{ at: Date; ok: boolean } | null> {
  const found = await sqlOf(ctx).get(VERIFIED, "action", "audit.verify");
  return found === undefined ? null : { at: found.at, ok: found.outcome === "ok" };
}

const VERIFIED = query<Verified>(
  `SELECT e."at", e."outcome" FROM "AuditEvent" e WHERE e."seq" = (
     SELECT MAX(p."seq") FROM "AuditPosting" p JOIN "AuditTerm" t ON t."id" = p."termId"
     WHERE t."kind" = ? AND t."value" = ?)`,
  { at: "date" },
);
