import { parseJsonColumn } from "@/lib/core/json";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import type { Worker as WorkerRow } from "@/lib/db/generated/client";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { requireScope } from "@/lib/policy/require-scope";
import { Worker } from "@/lib/runner/schema";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

/** Every worker that was not revoked; there are few, so they come on one page. */
export async function listWorkers(ctx: Ctx): Promise<Page<Worker>> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.worker.findMany({ where: { revokedAt: null }, orderBy: { name: "asc" } });
  return { items: await presentWorkers(ctx, rows), nextCursor: null };
}

export async function presentWorkers(ctx: Ctx, rows: WorkerRow[]): Promise<Worker[]> {
  const onlineSince = ctx.now().getTime() - LEASE_SECONDS * 2 * 1000;
  const running = await ctx.db.run.groupBy({ by: ["workerId"], where: { state: "running" }, _count: true });
  const skills = await ctx.db.workerSkill.groupBy({ by: ["workerId"], _count: true });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    manager: row.manager,
    online: (row.lastSeenAt?.getTime() ?? 0) >= onlineSince,
    version: row.version,
    platform: row.platform,
    isolation: Worker.shape.isolation.parse(row.isolation),
    isolationFacts: parseJsonColumn(Worker.shape.isolationFacts, row.isolationFacts),
    allows: keepParsed(WorkerOffers, row.offers).allows ?? null,
    slots: row.slots,
    running: running.find((group) => group.workerId === row.id)?._count ?? 0,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    load: row.load,
    skills: skills.find((group) => group.workerId === row.id)?._count ?? 0,
    inventoryAt: row.inventoryAt?.toISOString() ?? null,
  }));
}
