import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { seesAll } from "@/lib/policy/require-scope";
import { runsVisibleToSql } from "@/lib/runner/runs/load-runs";
import { getSettings } from "@/lib/settings/settings";

import { requireSkill } from "@/lib/skills/skill-access";
import type { TraceFilters, TraceOutcome } from "./schema";

const DAY_MS = 86_400_000;

export const STATES: Record<TraceOutcome, string[]> = {
  ok: ["succeeded"],
  failed: ["failed"],
  refused: ["rejected", "expired"],
  cancelled: ["cancelled"],
  open: ["awaiting_approval", "queued", "running"],
};
const RATINGS = { up: 1, down: -1, none: 0 } as const;
const NONE = Prisma.sql`1 = 0`;

/** Conditions for `"Run"` and `"AgentStep"`; together they match each trace once. */
export type TraceConditions = { runs: Prisma.Sql; steps: Prisma.Sql; days: number };

/**
 * SQL conditions for the matching traces that the caller may see: their own, runs of their skills, or all for reviewers and
 * admins. A step that started a run is represented by that run. Traces older than `agentTraceDays` are left out, even if the
 * run is kept. `forCounting` adds other people's uses of the caller's skills, and leaves out evaluations unless requested.
 */
export async function filterTraces(
  ctx: Ctx,
  actor: PersonActor,
  filters: TraceFilters,
  { forCounting = false }: { forCounting?: boolean } = {},
): Promise<TraceConditions> {
  const { agentTraceDays: days } = await getSettings(ctx);
  const { skill, version, source, kind, surface, outcome, rating, session, to } = filters;
  const oldest = new Date(ctx.now().getTime() - days * DAY_MS);
  const from = filters.from === undefined ? oldest : new Date(Math.max(Date.parse(filters.from), oldest.getTime()));
  const both: Prisma.Sql[] = [];
  if (skill !== undefined) both.push(Prisma.sql`"skillId" = ${(await requireSkill(ctx, skill)).id}`);
  if (version) both.push(Prisma.sql`"versionDigest" = ${version.toLowerCase()}`);
  if (source) both.push(Prisma.sql`"skillId" IN (SELECT "id" FROM "Skill" WHERE "source" = ${source})`);
  if (surface) both.push(Prisma.sql`"surface" = ${surface}`);
  else if (forCounting) both.push(Prisma.sql`"surface" <> 'evaluation'`);
  if (rating) both.push(Prisma.sql`"rating" = ${RATINGS[rating]}`);
  if (session) both.push(Prisma.sql`"sessionId" = ${session}`);
  const isLoading = Prisma.sql`("kind" = 'loaded' OR ("kind" = 'refused' AND "tool" = 'use_skill'))`;
  const runs = [runsVisibleToSql(actor), Prisma.sql`"queuedAt" >= ${from}`, ...both];
  const steps = [
    Prisma.sql`"runId" IS NULL AND "kind" IN ('loaded', 'refused', 'ran')`,
    stepsVisibleToSql(actor, forCounting),
    Prisma.sql`"at" >= ${from}`,
    ...both,
  ];
  if (to) {
    runs.push(Prisma.sql`"queuedAt" < ${new Date(to)}`);
    steps.push(Prisma.sql`"at" < ${new Date(to)}`);
  }
  if (kind === "instructional") {
    runs.push(NONE);
    steps.push(isLoading);
  } else if (kind === "executable") steps.push(Prisma.sql`NOT ${isLoading}`);
  if (outcome) {
    runs.push(Prisma.sql`"state" IN (${Prisma.join(STATES[outcome])})`);
    steps.push(Prisma.sql`"outcome" = ${outcome}`);
  }
  return { runs: Prisma.join(runs, " AND "), steps: Prisma.join(steps, " AND "), days };
}

function stepsVisibleToSql(actor: PersonActor, forCounting: boolean): Prisma.Sql {
  if (seesAll(actor)) return Prisma.sql`1 = 1`;
  const own = Prisma.sql`"sessionId" IN (SELECT "id" FROM "AgentSession" WHERE "userId" = ${actor.userId})`;
  if (!forCounting) return own;
  return Prisma.sql`(${own} OR "skillId" IN (SELECT "id" FROM "Skill" WHERE "ownerId" = ${actor.userId}))`;
}
