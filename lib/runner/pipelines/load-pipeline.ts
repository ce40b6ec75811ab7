import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { FINAL_STATES, PIPELINE_SCOPE, RunState } from "../schema";

/** Pipelines are only a few levels deep; longer chains are not followed to the end. */
const MAX_LEVELS = 20;

type Reading = Pick<Ctx, "db">;
export type PipelineRun = Prisma.RunGetPayload<{ include: { skill: true } }>;
export type StepRun = Awaited<ReturnType<typeof loadSteps>>[number];

/** A pipeline's own run that is waiting or running; null for any other run. */
export async function loadOpenPipeline(ctx: Reading, id: string): Promise<PipelineRun | null> {
  const where = { id, scope: PIPELINE_SCOPE, state: { in: ["queued", "running"] } };
  return ctx.db.run.findFirst({ where, include: { skill: true } });
}

export function loadSteps(ctx: Reading, parentRunId: string) {
  return ctx.db.run.findMany({ where: { parentRunId }, orderBy: { stepIndex: "asc" }, include: { skill: true } });
}

export function isOver(step: { state: string }): boolean {
  return FINAL_STATES.includes(RunState.parse(step.state));
}

/** The pipelines that a run is nested in, outermost first, and the run's own. */
export async function chainOf(
  ctx: Reading,
  run: { skillId: string; parentRunId: string | null; skill: { name: string } },
): Promise<{ id: string; name: string }[]> {
  const chain = [{ id: run.skillId, name: run.skill.name }];
  let parentId = run.parentRunId;
  while (parentId !== null && chain.length < MAX_LEVELS) {
    const parent: Omit<typeof run, "skill"> & { skill: { name: string } } = await ctx.db.run.findUniqueOrThrow({
      where: { id: parentId },
      select: { skillId: true, parentRunId: true, skill: { select: { name: true } } },
    });
    chain.unshift({ id: parent.skillId, name: parent.skill.name });
    parentId = parent.parentRunId;
  }
  return chain;
}

/** The deadline of a pipeline; waiting for approval of its steps does not count. Null before it has begun. */
export async function deadlineOf(
  ctx: Pick<Ctx, "db" | "now">,
  run: { startedAt: Date | null },
  { timeoutMs, steps }: { timeoutMs: number; steps: StepRun[] },
): Promise<Date | null> {
  if (run.startedAt === null) return null;
  return new Date(run.startedAt.getTime() + timeoutMs + (await approvalWaitMs(ctx, steps, 0)));
}

async function approvalWaitMs(ctx: Pick<Ctx, "db" | "now">, steps: StepRun[], level: number): Promise<number> {
  let total = 0;
  for (const step of steps) {
    const { parkedAt, state, queuedAt, finishedAt } = step;
    // A run that is released gets a new queueing time.
    const until = state === "awaiting_approval" ? ctx.now() : (laterOf(queuedAt, parkedAt) ?? finishedAt ?? ctx.now());
    if (parkedAt !== null) total += Math.max(0, until.getTime() - parkedAt.getTime());
    if (step.scope === PIPELINE_SCOPE && level < MAX_LEVELS) {
      total += await approvalWaitMs(ctx, await loadSteps(ctx, step.id), level + 1);
    }
  }
  return total;
}

function laterOf(queuedAt: Date, parkedAt: Date | null): Date | null {
  return parkedAt !== null && queuedAt > parkedAt ? queuedAt : null;
}
