import { keepParsed } from "@/lib/core/json";
import { redactMarked } from "@/lib/core/redact/redact-marked";
import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { SkillManifest } from "@/lib/skill-format/schema";
import { filterTraces } from "../traces/filter-traces";

const MAX_TRACES = 500;
const MAX_SIDE = 4000;

/** The newest finished uses that the caller may read, without secret values, since agents will see the chosen ones. */
export async function collectTraces(ctx: Ctx, skillId: string): Promise<SkillTrace[]> {
  const { runs, steps } = await filterTraces(ctx, requireScope(ctx.actor, "read"), { skill: skillId });
  const ended = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Run" WHERE ${runs} AND "state" IN ('succeeded', 'failed') AND "retryOfId" IS NULL
      AND "surface" <> 'evaluation' ORDER BY "id" DESC LIMIT ${MAX_TRACES}`;
  const loaded = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "AgentStep" WHERE ${steps} AND "kind" = 'loaded' AND "surface" <> 'evaluation'
      ORDER BY "id" DESC LIMIT ${MAX_TRACES}`;
  const rows = await ctx.db.run.findMany({
    where: { id: { in: ended.map(({ id }) => id) } },
    select: {
      ...{ id: true, queuedAt: true, surface: true, args: true, result: true, rating: true, state: true },
      version: { select: { manifest: true } },
    },
  });
  const loads = await ctx.db.agentStep.findMany({ where: { id: { in: loaded.map(({ id }) => id) } } });
  const traces = [
    ...rows.map((run) => ({
      id: run.id,
      at: run.queuedAt,
      surface: run.surface,
      input: argumentsOf(run).slice(0, MAX_SIDE),
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
  return traces.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)).slice(0, MAX_TRACES);
}

function argumentsOf(run: { args: string; version: { manifest: string } }): string {
  const { schema } = keepParsed(SkillManifest, run.version.manifest);
  return JSON.stringify(redactMarked(schema, JSON.parse(run.args)));
}

/** Requests to other skills that the caller may read: for these, this skill is the wrong choice. */
export async function collectOtherRequests(ctx: Ctx, skillId: string, count: number): Promise<string[]> {
  const { steps } = await filterTraces(ctx, requireScope(ctx.actor, "read"), {});
  const found = await ctx.db.$queryRaw<{ input: string }[]>(Prisma.sql`
    SELECT "input" FROM "AgentStep" WHERE ${steps} AND "kind" = 'loaded' AND "skillId" <> ${skillId} AND "input" IS NOT NULL
      ORDER BY "id" DESC LIMIT ${count * 3}`);
  return [...new Set(found.map(({ input }) => input.trim()).filter((input) => input !== ""))].slice(0, count);
}

export type SkillTrace = {
  id: string;
  at: Date;
  surface: string;
  input: string;
  output: string;
  /** -1, 0 or 1. */
  rating: number;
  outcome: string;
};
