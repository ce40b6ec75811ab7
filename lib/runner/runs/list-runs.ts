import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { type ListRunsQuery, type Run, type RunFilters, RunState } from "@/lib/runner/schema";
import { requireSkill } from "@/lib/skills/skill-access";
import { presentRuns } from "./get-run";
import { loadRuns, runsVisibleToSql } from "./load-runs";

/** Runs the caller may see, newest first. Ids sort by time, so they are the cursor. */
export async function listRuns(ctx: Ctx, { cursor, limit, ...filters }: ListRunsQuery): Promise<Page<Run>> {
  const actor = requireScope(ctx.actor, "read");
  const before = cursor === undefined ? null : decodeCursor(z.string(), cursor);
  const fits = await filterRuns(ctx, actor, filters);
  const older = before === null ? Prisma.empty : Prisma.sql`AND "id" < ${before}`;
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Run" WHERE ${fits} ${older} ORDER BY "id" DESC LIMIT ${limit + 1}`;
  const { items, nextCursor } = toPage(found, limit, (row) => row.id);
  const rows = await loadRuns(
    ctx,
    items.map((row) => row.id),
  );
  return { items: await presentRuns(ctx, rows), nextCursor };
}

/** The SQL condition over `"Run"` for runs that the caller may see and that match; `not_found` for an unknown skill. */
export async function filterRuns(ctx: Ctx, actor: PersonActor, filters: RunFilters): Promise<Prisma.Sql> {
  const conditions = [runsVisibleToSql(actor), ...timeConditions(filters)];
  if (filters.skill !== undefined) {
    conditions.push(Prisma.sql`"skillId" = ${(await requireSkill(ctx, filters.skill)).id}`);
  }
  if (filters.q) conditions.push(nameContains(filters.q));
  if (filters.class) conditions.push(Prisma.sql`"class" = ${filters.class}`);
  if (filters.caller) {
    conditions.push(Prisma.sql`"callerId" = ${filters.caller === "me" ? actor.userId : filters.caller}`);
  }
  if (filters.worker) {
    const { worker } = filters;
    conditions.push(Prisma.sql`"workerId" IN (SELECT "id" FROM "Worker" WHERE "id" = ${worker} OR "name" = ${worker})`);
  }
  if (filters.group) conditions.push(Prisma.sql`"groupId" = ${filters.group}`);
  if (filters.schedule) conditions.push(Prisma.sql`"scheduleId" = ${filters.schedule}`);
  if (filters.parent) conditions.push(Prisma.sql`"parentRunId" = ${filters.parent}`);
  // Not IS NULL: it is true for nearly all runs, and the database would choose the index of pipelines.
  else if (!filters.steps) conditions.push(Prisma.sql`COALESCE("parentRunId", '') = ''`);
  return Prisma.join(conditions, " AND ");
}

/** With a time range, all states are listed if none is given, because the index begins with the state. */
function timeConditions({ state, from, to }: RunFilters): Prisma.Sql[] {
  const times = [
    ...(from === undefined ? [] : [Prisma.sql`"queuedAt" >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [Prisma.sql`"queuedAt" < ${new Date(to)}`]),
  ];
  if (state !== undefined) return [Prisma.sql`"state" = ${state}`, ...times];
  return times.length === 0 ? [] : [Prisma.sql`"state" IN (${Prisma.join(RunState.options)})`, ...times];
}

function nameContains(text: string): Prisma.Sql {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return Prisma.sql`"skillId" IN (SELECT "id" FROM "Skill"
    WHERE LOWER("name") LIKE ${pattern} ESCAPE '\\' OR LOWER("label") LIKE ${pattern} ESCAPE '\\')`;
}
