import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { JsonObject, SkillManifest } from "@/lib/skill-format/schema";
import { LEASE_SECONDS, type Lease, RunLimits } from "@/lib/worker/protocol";

type WorkerRow = { id: string; name: string; manager: boolean; isolation: string | null };

/**
 * Hands the oldest waiting runs to a worker, at most `slots`. The fence rises with each hand-over, so that whatever an
 * earlier holder still says of a run is recognised as stale. A run whose approval no longer stands ends here.
 */
export async function leaseRuns(tx: Tx, ctx: Ctx, worker: WorkerRow, slots: number): Promise<Lease[]> {
  if (slots === 0) return [];
  const waiting = await tx.run.findMany({
    where: {
      state: "queued",
      OR: [
        { targetWorker: worker.id },
        { targetWorker: null, scope: { in: worker.manager ? ["manager", "host"] : ["host"] } },
      ],
    },
    orderBy: [{ queuedAt: "asc" }, { id: "asc" }],
    take: slots,
    include: { version: { include: { files: true } }, skill: true },
  });
  const leases: Lease[] = [];
  for (const run of waiting) {
    if (run.version.state !== "approved" || run.version.subject !== run.subject || !run.skill.enabled) {
      await refuse(tx, ctx, run);
      continue;
    }
    const manifest = parseJsonColumn(SkillManifest, run.version.manifest);
    const fence = run.fence + 1;
    await tx.run.update({
      where: { id: run.id },
      data: {
        state: "running",
        fence,
        workerId: worker.id,
        isolation: worker.isolation,
        startedAt: ctx.now(),
        leaseUntil: new Date(ctx.now().getTime() + LEASE_SECONDS * 1000),
      },
    });
    leases.push({
      runId: run.id,
      fence,
      skillName: run.skill.name,
      versionDigest: run.versionDigest,
      files: run.version.files.map(({ path, mode, sha256, size }) => ({
        path,
        mode: mode === "755" ? "755" : "644",
        sha256,
        size,
      })),
      entry: manifest.entry ?? "",
      schema: manifest.schema,
      args: parseJsonColumn(JsonObject, run.args),
      env: parseJsonColumn(z.array(z.string()), run.env),
      limits: parseJsonColumn(RunLimits, run.limits),
    });
  }
  return leases;
}

async function refuse(
  tx: Tx,
  ctx: Ctx,
  run: { id: string; callerId: string; skillId: string; versionDigest: string; skill: { name: string } },
): Promise<void> {
  const message = "The approval this run was started under no longer stands.";
  await tx.run.update({
    where: { id: run.id },
    data: { state: "failed", errorCode: "not_approved", errorMessage: message, finishedAt: ctx.now() },
  });
  await recordEvent(tx, ctx, {
    action: "run.refuse",
    outcome: "refused",
    concerns: run.callerId,
    summary: `did not start ${run.skill.name}: its approval no longer stands`,
    target: { kind: "run", id: run.id, name: run.skill.name },
    skillId: run.skillId,
    versionDigest: run.versionDigest,
    runId: run.id,
  });
}
