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

/** The same as `askForRun`, answering the run as it is then. */
export async function startRun(...asked: Parameters<typeof askForRun>): Promise<StartedRun> {
  const answer = await askForRun(...asked);
  return "dryRun" in answer ? answer : { run: await getRun(asked[0], answer.runId) };
}

type Beside = (tx: Tx, ctx: Ctx, runId: string) => Promise<void>;
export type AskedRun = { runId: string; waitsForPeople: boolean } | { dryRun: DryRun };

/**
 * Asks for a run of a skill's approved version with frozen arguments. What the policy lets through is queued; what needs
 * other people is parked as `awaiting_approval`. Errors: `not_approved`, `invalid` with the place of each wrong
 * argument, `confirmation_required` when a person runs what changes things without `confirm`, `forbidden` when a persona
 * does not allow it, `credential_missing` when a credential it is given is no longer stored, `no_isolation` when the workers
 * that could take it have no sandbox and no setting allows that, `worker_does_not_allow` when their operators do not allow
 * all that it is granted, `rate_limited`. `beside` writes in the same transaction, for who keeps a record of its own.
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

/** Counts a request for a run against what its person, and an agent's token, may ask for in a minute; else `rate_limited`. */
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
  throw new AppError("rate_limited", `${who} may ask for ${limit} runs in a minute. Try again in ${resetSeconds} s.`, {
    retryAfterSeconds: resetSeconds,
    headers: limitFields(taken),
  });
}

/**
 * The same run on several edges, in one step: all are accepted or none. Errors as `startRun` has them; `invalid` for a dry
 * run, or when an edge is named besides the list.
 */
export async function startGroup(ctx: Ctx, idOrName: string, input: StartRunInput): Promise<RunGroup> {
  const { edges = [], ...each } = input;
  if (each.dryRun) throw new AppError("invalid", "A dry run is of one edge: leave edges out.");
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
  // Whoever was woken before the commit saw nothing yet.
  wake("work");
  return { groupId, runs };
}
