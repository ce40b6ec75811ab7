import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Page } from "@/lib/core/schema";
import { wake } from "@/lib/core/wake-bus";
import { type Ctx, inTransaction } from "@/lib/db/context";
import type { Worker as WorkerRow } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { requireScope, requireWorker } from "@/lib/policy/require-scope";
import { Isolation, weakestIsolation } from "@/lib/policy/worker-allowance";
import { settleLostRun } from "@/lib/runner/runs/fail-lost-runs";
import { type CreateWorkerInput, Worker } from "@/lib/runner/schema";
import { LEASE_SECONDS, type RegisterRequest, type RegisterResponse } from "@/lib/worker/protocol";

/** Registers a worker and creates its token, which is shown only once. `conflict` when the name is taken. */
export async function createWorker(ctx: Ctx, input: CreateWorkerInput): Promise<{ worker: Worker; token: string }> {
  const actor = requireScope(ctx.actor, "admin");
  const token = `sgw_${randomBytes(32).toString("base64url")}`;
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await tx.worker.findUnique({ where: { name: input.name } })) {
      throw new AppError("conflict", `A worker named “${input.name}” already exists.`);
    }
    const row = await tx.worker.create({
      data: {
        id: newId(),
        name: input.name,
        secretHash: sha256Hex(token),
        manager: input.manager,
        slots: 1,
        inventory: "[]",
        createdAt: ctx.now(),
        createdBy: actor.userId,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "worker.create",
      summary: `added the worker ${row.name}`,
      target: { kind: "worker", id: row.id, name: row.name },
      data: { manager: input.manager },
    });
    const [worker] = await presentWorkers(txCtx, [row]);
    if (!worker) throw new Error("presenting one row gave none");
    return { worker, token };
  });
}

/** Every worker that was not revoked, on one page, since there are few. */
export async function listWorkers(ctx: Ctx): Promise<Page<Worker>> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.worker.findMany({ where: { revokedAt: null }, orderBy: { name: "asc" } });
  return { items: await presentWorkers(ctx, rows), nextCursor: null };
}

async function presentWorkers(ctx: Ctx, rows: WorkerRow[]): Promise<Worker[]> {
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

/** A new token for the worker that this server starts itself; the previous token becomes invalid. */
export async function mintLocalWorker(ctx: Ctx, name: string): Promise<string> {
  const token = `sgw_${randomBytes(32).toString("base64url")}`;
  const secret = { secretHash: sha256Hex(token), manager: true, revokedAt: null };
  const fresh = { id: newId(), name, slots: 1, inventory: "[]", createdAt: ctx.now(), ...secret };
  await inTransaction(ctx, (tx) => tx.worker.upsert({ where: { name }, create: fresh, update: secret }));
  return token;
}

/** Revokes a worker's token. Its runs end as lost when their leases run out. */
export async function revokeWorker(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.worker.findFirst({ where: { id, revokedAt: null } });
    if (!row) throw new AppError("not_found", "There is no such worker.");
    // The row stays for the worker's runs; its name becomes free.
    await tx.worker.update({ where: { id }, data: { revokedAt: ctx.now(), name: `${row.name} (revoked ${row.id})` } });
    await tx.workerSkill.deleteMany({ where: { workerId: id } });
    await recordEvent(tx, txCtx, {
      action: "worker.revoke",
      summary: `revoked the worker ${row.name}`,
      target: { kind: "worker", id, name: row.name },
    });
  });
}

const ONLINE = query<{ isolation: string | null }>(
  `SELECT "isolation" FROM "Worker" WHERE "revokedAt" IS NULL AND "lastSeenAt" >= ?`,
);

type WorkerStatus = { online: number; isolation: Isolation };

/** Number of online workers, and the weakest isolation among them (`none` without workers). */
export async function workerStatus(ctx: Ctx): Promise<WorkerStatus> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const online = await sqlOf(ctx).all(ONLINE, since);
  const levels = online.map(({ isolation }) => Isolation.catch("none").parse(isolation));
  return { online: online.length, isolation: weakestIsolation(levels) };
}

/** Registers a worker. Runs that a former process with the same token had acknowledged are lost; others are queued again. */
export async function registerWorker(ctx: Ctx, input: RegisterRequest): Promise<RegisterResponse> {
  const worker = requireWorker(ctx.actor);
  const lost = await inTransaction(ctx, async (tx, txCtx) => {
    const { version, platform, isolation, isolationFacts = [], slots } = input;
    const row = await tx.worker.update({
      where: { id: worker.workerId },
      data: {
        version,
        platform,
        isolation,
        isolationFacts: JSON.stringify(isolationFacts),
        slots,
        offers: offersOf(input),
        lastSeenAt: ctx.now(),
      },
    });
    const held = await tx.run.findMany({
      where: { workerId: row.id, state: "running" },
      include: { skill: true, worker: true },
    });
    for (const run of held)
      await settleLostRun(tx, txCtx, run, `Worker “${row.name}” restarted while this run was under way.`);
    await recordEvent(tx, txCtx, {
      action: "worker.register",
      summary: `came online with ${slots} ${slots === 1 ? "slot" : "slots"}`,
      target: { kind: "worker", id: row.id, name: row.name },
      device: row.name,
      data: { version, platform, isolation, isolationFacts, slots, pid: input.pid },
    });
    return held.map((run) => run.id);
  });
  for (const runId of lost) wake(`run:${runId}`);
  wake("work");
  return { workerId: worker.workerId, name: worker.name };
}

function offersOf({ capabilities = [], bins = [], env = [], allows, analysis }: RegisterRequest): string {
  const offers: WorkerOffers = { capabilities, bins, env, allows, analysis };
  return JSON.stringify(offers);
}
