import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import { offerWork, wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inQuickTransaction, inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { findEdge } from "@/lib/runner/edges";
import { advancePipeline } from "@/lib/runner/pipelines/advance-pipeline";
import { assertRunQuota } from "@/lib/settings/quotas/quotas";
import { cachedSettings } from "@/lib/settings/settings";
import type { DryRun, Run, RunGroup, StartRunInput } from "../schema";
import { type AskingSchedule, admitRun } from "./admit-run";
import { getRun } from "./get-run";

export type StartedRun = { run: Run } | { dryRun: DryRun };

/** Like `askForRun`, but reads the run afterwards and returns it. */
export async function startRun(...asked: Parameters<typeof askForRun>): Promise<StartedRun> {
  const answer = await askForRun(...asked);
  return "dryRun" in answer ? answer : { run: await getRun(asked[0], answer.runId) };
}

type Beside = (tx: Tx, ctx: Ctx, runId: string) => Promise<void>;
export type AskedRun = { runId: string; waitsForPeople: boolean } | { dryRun: DryRun };

/**
 * Requests a run of a skill's approved version with frozen arguments. The policy queues it, or parks it as
 * `awaiting_approval` when other people must sign. Errors: `not_approved`, `invalid` with the path of each wrong argument,
 * `confirmation_required` when a person runs a mutating skill without `confirm`, `forbidden` when a persona does not allow
 * it, `credential_missing`, `no_isolation` when the possible workers have no sandbox and no setting allows that,
 * `worker_does_not_allow` when their operators do not allow all grants, `rate_limited`. `beside` writes in the same
 * transaction, for records of the caller.
 */
export async function askForRun(
  ctx: Ctx,
  idOrName: string,
  asked: StartRunInput,
  schedule: AskingSchedule | null = null,
  beside?: Beside,
): Promise<AskedRun> {
  try {
    return await ask(ctx, idOrName, asked, schedule, beside);
  } catch (error) {
    const { args, workerId } = asked;
    if (error instanceof AppError) error.askedRun ??= { idOrName, args, workerId };
    throw error;
  }
}

async function ask(
  ctx: Ctx,
  idOrName: string,
  asked: StartRunInput,
  schedule: AskingSchedule | null,
  beside?: Beside,
): Promise<AskedRun> {
  const actor = requireScope(ctx.actor, "run");
  if (schedule === null) await limitRuns(ctx, actor);
  const answer = await inQuickTransaction(ctx, async (tx, txCtx) => {
    if (!asked.dryRun) await assertRunQuota(txCtx, actor.userId);
    const admitted = await admitRun(tx, txCtx, { actor, idOrName, asked, schedule });
    if ("dryRun" in admitted) return admitted;
    if (admitted.isPipeline && admitted.starts) await advancePipeline(tx, txCtx, admitted.id);
    else if (admitted.starts) offerWork();
    await beside?.(tx, txCtx, admitted.id);
    return { runId: admitted.id, waitsForPeople: !admitted.starts };
  });
  if ("runId" in answer) wake("work");
  return answer;
}

async function limitRuns(ctx: Ctx, actor: PersonActor): Promise<void> {
  const { runsPerMinute, agentRunsPerMinute } = await cachedSettings(ctx);
  await take("runs-person", actor.userId, runsPerMinute, actor.name);
  if (isAgent(actor)) {
    await take("runs-token", actor.tokenId, agentRunsPerMinute, `The token “${actor.tokenName}”`);
  }
}

async function take(name: string, key: string, limit: number, who: string): Promise<void> {
  const taken = await takeFromLimit(name, key, limit);
  if (taken.allowed) return;
  const { resetSeconds } = taken;
  throw new AppError("rate_limited", `${who} may start ${limit} runs per minute. Try again in ${resetSeconds} s.`, {
    retryAfterSeconds: resetSeconds,
    headers: limitFields(taken),
  });
}

/** Starts the same run on several edges, all or none. Errors as in `startRun`; `invalid` for a dry run. */
export async function startGroup(ctx: Ctx, idOrName: string, input: StartRunInput): Promise<RunGroup> {
  const { edges = [], ...each } = input;
  if (each.dryRun) throw new AppError("invalid", "A dry run needs a single edge. Leave edges out.");
  const groupId = newId();
  const runs = await inTransaction(ctx, async (tx, txCtx) => {
    const started: Run[] = [];
    const seen = new Set<string>();
    for (const edge of edges) {
      const { id } = await findEdge(txCtx, edge);
      if (seen.has(id)) continue;
      seen.add(id);
      const answer = await startRun(txCtx, idOrName, { ...each, workerId: id });
      if ("dryRun" in answer) throw new Error("asked for a run, and got a dry one");
      await tx.run.update({ where: { id: answer.run.id }, data: { groupId } });
      started.push({ ...answer.run, groupId });
    }
    return started;
  });
  // Listeners that were woken before the commit saw no change.
  wake("work");
  return { groupId, runs };
}
