import { recordEvent } from "@/lib/audit/record-event";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { requireWorker } from "@/lib/policy/require-scope";
import { settleLostRun } from "@/lib/runner/runs/fail-lost-runs";
import type { RegisterRequest, RegisterResponse } from "@/lib/worker/protocol";

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
