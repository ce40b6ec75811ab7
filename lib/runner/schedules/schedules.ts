import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Page } from "@/lib/core/schema";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma, type Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { listOf, readComposed } from "@/lib/db/sql";
import { hasScope, requirePerson, requireScope, seesAll } from "@/lib/policy/require-scope";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { requireSkill } from "@/lib/skills/skill-access";
import { RunState } from "../schema";
import { nextTimes } from "./next-times";
import {
  type ListSchedulesQuery,
  Overlap,
  type PreviewScheduleQuery,
  type Schedule,
  type SchedulePreview,
} from "./schema";

const SCHEDULE_COLUMNS = {
  ...({
    catchUp: "flag",
    enabled: "flag",
    confirmedAt: "date",
    nextAt: "date",
    heldAt: "date",
    lastAt: "date",
  } as const),
  ...({ createdAt: "date", updatedAt: "date" } as const),
};

const SHOWN = 5;

type Related = Awaited<ReturnType<typeof loadRelated>>;

async function presentSchedules(ctx: Ctx, rows: readonly ScheduleRow[]): Promise<Schedule[]> {
  const related = await loadRelated(ctx, rows);
  return rows.map((row) => present(ctx, row, related));
}

async function loadRelated(ctx: Ctx, rows: readonly ScheduleRow[]) {
  if (rows.length === 0) return { skills: [], workers: [], runs: [] };
  const among = (ids: (string | null)[]) =>
    listOf(
      ctx,
      ids.filter((id) => id !== null),
    );
  const skills = await readComposed<ScheduledSkill>(
    ctx,
    Prisma.sql`SELECT s."id", s."name", s."label", s."class", v."class" AS "decidedClass", v."subject" FROM "Skill" s
      LEFT JOIN "Version" v ON v."id" = s."currentId"
      WHERE s."deletedAt" IS NULL AND s."id" IN ${among(rows.map(({ skillId }) => skillId))}`,
  );
  const workers = await readComposed<{ id: string; name: string }>(
    ctx,
    Prisma.sql`SELECT "id", "name" FROM "Worker" WHERE "id" IN ${among(rows.map(({ workerId }) => workerId))}`,
  );
  const runs = await readComposed<{ id: string; state: string }>(
    ctx,
    Prisma.sql`SELECT "id", "state" FROM "Run" WHERE "id" IN ${among(rows.map(({ lastRunId }) => lastRunId))}`,
  );
  return { skills, workers, runs };
}

type ScheduledSkill = {
  id: string;
  name: string;
  label: string | null;
  class: string;
  /** Of the active version; null without one. */
  decidedClass: string | null;
  subject: string | null;
};

function present(ctx: Ctx, row: ScheduleRow, related: Related): Schedule {
  const actor = requirePerson(ctx.actor);
  const skill = related.skills.find(({ id }) => id === row.skillId);
  const run = related.runs.find(({ id }) => id === row.lastRunId);
  const skillClass = skill === undefined ? null : SkillClass.parse(skill.decidedClass ?? skill.class);
  const isConfirmed = row.confirmedSubject !== null && row.confirmedSubject === skill?.subject;
  return {
    id: row.id,
    name: row.name,
    skill:
      skill === undefined || skillClass === null
        ? null
        : { id: skill.id, name: skill.name, label: skill.label, class: skillClass },
    args: parseJsonColumn(JsonObject, row.args),
    cron: row.cron,
    timeZone: row.timeZone,
    overlap: Overlap.parse(row.overlap),
    catchUp: row.catchUp,
    worker: related.workers.find(({ id }) => id === row.workerId) ?? null,
    enabled: row.enabled,
    stopReason: row.stopReason,
    owner: { id: row.ownerId, name: row.ownerName },
    token: row.tokenId === null ? null : { id: row.tokenId, name: row.tokenName ?? "" },
    createdBy: row.createdById,
    needsConfirmation: skillClass === "mutating" && row.personaId === null && !isConfirmed,
    nextAt: row.nextAt?.toISOString() ?? null,
    next: row.enabled ? nextTimes(row, ctx.now(), SHOWN).map((time) => time.toISOString()) : [],
    lastAt: row.lastAt?.toISOString() ?? null,
    lastRun: run === undefined ? null : { id: run.id, state: RunState.parse(run.state) },
    lastOutcome: row.lastOutcome,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    you: { mayChange: mayChange(actor, row), mayStop: mayStop(actor, row) },
  };
}

/** The next times of a cron expression in a time zone; `invalid` with the path of the error. */
export async function previewSchedule(ctx: Ctx, query: PreviewScheduleQuery): Promise<SchedulePreview> {
  requireScope(ctx.actor, "read");
  const next = nextTimes(query, ctx.now(), SHOWN);
  return { ...query, next: next.map((time) => time.toISOString()) };
}

/** One schedule; `not_found` also when the caller may not see it. */
export async function getSchedule(ctx: Ctx, id: string): Promise<Schedule> {
  requireScope(ctx.actor, "read");
  return readSchedule(ctx, id);
}

/** Like `getSchedule`, for callers that have checked their own scope. */
export async function readSchedule(ctx: Ctx, id: string): Promise<Schedule> {
  const [schedule] = await presentSchedules(ctx, [await requireSchedule(ctx, id)]);
  if (!schedule) throw new Error("presenting one row gave none");
  return schedule;
}

/** Schedules the caller may see, newest first. */
export async function listSchedules(ctx: Ctx, query: ListSchedulesQuery): Promise<Page<Schedule>> {
  const actor = requireScope(ctx.actor, "read");
  const where = [visibleSchedules(actor)];
  if (query.cursor !== undefined) where.push(Prisma.sql`"id" < ${decodeCursor(z.string(), query.cursor)}`);
  if (query.skill !== undefined) where.push(Prisma.sql`"skillId" = ${(await requireSkill(ctx, query.skill)).id}`);
  const rows = await readComposed<ScheduleRow>(
    ctx,
    Prisma.sql`SELECT * FROM "Schedule" WHERE ${Prisma.join(where, " AND ")} ORDER BY "id" DESC LIMIT ${query.limit + 1}`,
    SCHEDULE_COLUMNS,
  );
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentSchedules(ctx, page.items), nextCursor: page.nextCursor };
}

/** Deletes a schedule, as its owner or an admin. Its runs stay, and a running one continues. */
export async function deleteSchedule(ctx: Ctx, id: string): Promise<void> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSchedule(txCtx, id);
    if (!mayStop(actor, row)) throw notYours(row);
    await tx.schedule.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "schedule.delete",
      summary: `deleted the schedule “${row.name}”`,
      target: { kind: "schedule", id, name: row.name },
      concerns: row.ownerId,
      skillId: row.skillId,
    });
  });
}

/**
 * Condition for `"Schedule"`: the schedules that an actor may see. An agent sees those of its token, a user their own,
 * reviewers and admins all.
 */
function visibleSchedules(actor: PersonActor): Prisma.Sql {
  if (isAgent(actor)) return Prisma.sql`"ownerId" = ${actor.userId} AND "tokenId" = ${actor.tokenId}`;
  return seesAll(actor) ? Prisma.sql`1 = 1` : Prisma.sql`"ownerId" = ${actor.userId}`;
}

/** Whether an actor may change it: its owner, but an agent only schedules of its own token. */
export function mayChange(actor: PersonActor, row: Pick<ScheduleRow, "ownerId" | "tokenId">): boolean {
  return row.ownerId === actor.userId && (!isAgent(actor) || row.tokenId === actor.tokenId);
}

/** Whether an actor may switch it off or delete it: its owner and admins. */
export function mayStop(actor: PersonActor, row: Pick<ScheduleRow, "ownerId" | "tokenId">): boolean {
  return mayChange(actor, row) || hasScope(actor, "admin");
}

/** A schedule the caller may see, else `not_found`. */
export async function requireSchedule(ctx: Ctx, id: string): Promise<ScheduleRow> {
  const actor = requirePerson(ctx.actor);
  const [row] = await readComposed<ScheduleRow>(
    ctx,
    Prisma.sql`SELECT * FROM "Schedule" WHERE "id" = ${id} AND ${visibleSchedules(actor)}`,
    SCHEDULE_COLUMNS,
  );
  if (row === undefined) throw new AppError("not_found", `There is no schedule ${id.slice(0, 64)} that you can see.`);
  return row;
}

export function notYours(row: Pick<ScheduleRow, "name" | "ownerName">): AppError {
  const detail = `The schedule “${row.name}” belongs to ${row.ownerName}; an admin may switch it off or delete it.`;
  return new AppError("forbidden", detail, { rule: "schedule-owner" });
}
