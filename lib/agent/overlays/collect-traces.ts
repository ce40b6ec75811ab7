import type { Ctx } from "@/lib/db/context";
import type { SkillTrace } from "./skill-trace";

/** As many of the newest uses as an optimiser looks at. */
const MAX_TRACES = 500;
const MAX_SIDE = 4000;
const FINAL = ["succeeded", "failed"];

/** The newest uses of a skill that came to an end: its runs from any surface, and the times an agent loaded its playbook. */
export async function collectTraces(ctx: Ctx, skillId: string): Promise<SkillTrace[]> {
  const runs = await ctx.db.run.findMany({
    where: { skillId, state: { in: FINAL }, retryOfId: null, surface: { not: "evaluation" } },
    orderBy: { id: "desc" },
    take: MAX_TRACES,
    select: {
      id: true,
      queuedAt: true,
      surface: true,
      args: true,
      result: true,
      rating: true,
      state: true,
    },
  });
  const loads = await ctx.db.agentStep.findMany({
    where: { skillId, kind: "loaded", surface: { not: "evaluation" } },
    orderBy: { id: "desc" },
    take: MAX_TRACES,
  });
  const traces = [
    ...runs.map((run) => ({
      id: run.id,
      at: run.queuedAt,
      surface: run.surface,
      input: run.args.slice(0, MAX_SIDE),
      output: (run.result ?? "").slice(0, MAX_SIDE),
      rating: run.rating,
      outcome: run.state === "succeeded" ? "ok" : "failed",
    })),
    ...loads.map((step) => ({
      id: step.id,
      at: step.at,
      surface: step.surface,
      input: (step.input ?? "").slice(0, MAX_SIDE),
      output: (step.output ?? "").slice(0, MAX_SIDE),
      rating: step.rating,
      outcome: step.outcome,
    })),
  ];
  return traces.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_TRACES);
}

/** What was asked of other skills: the requests for which this one is not to be chosen. */
export async function collectOtherRequests(ctx: Ctx, skillId: string, count: number): Promise<string[]> {
  const steps = await ctx.db.agentStep.findMany({
    where: { kind: "loaded", skillId: { not: skillId }, input: { not: null } },
    orderBy: { id: "desc" },
    take: count * 3,
    select: { input: true },
  });
  return [...new Set(steps.map(({ input }) => (input ?? "").trim()).filter((input) => input !== ""))].slice(0, count);
}
