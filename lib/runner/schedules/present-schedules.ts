import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { requirePerson } from "@/lib/policy/require-scope";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { RunState } from "../schema";
import { nextTimes } from "./next-times";
import { mayChange, mayStop } from "./schedule-access";
import { Overlap, type Schedule } from "./schema";

const SHOWN = 5;

type Related = Awaited<ReturnType<typeof loadRelated>>;

/** Schedules as the API shows them to the caller, with the names of what they belong to. */
export async function presentSchedules(ctx: Ctx, rows: readonly ScheduleRow[]): Promise<Schedule[]> {
  const related = await loadRelated(ctx, rows);
  return rows.map((row) => present(ctx, row, related));
}

async function loadRelated(ctx: Ctx, rows: readonly ScheduleRow[]) {
  const skills = await ctx.db.skill.findMany({
    where: { id: { in: rows.map((row) => row.skillId) }, deletedAt: null },
    select: { id: true, name: true, label: true, class: true, current: { select: { class: true, subject: true } } },
  });
  const workers = await ctx.db.worker.findMany({
    where: { id: { in: rows.flatMap((row) => row.workerId ?? []) } },
    select: { id: true, name: true },
  });
  const runs = await ctx.db.run.findMany({
    where: { id: { in: rows.flatMap((row) => row.lastRunId ?? []) } },
    select: { id: true, state: true },
  });
  return { skills, workers, runs };
}

function present(ctx: Ctx, row: ScheduleRow, related: Related): Schedule {
  const actor = requirePerson(ctx.actor);
  const skill = related.skills.find(({ id }) => id === row.skillId);
  const run = related.runs.find(({ id }) => id === row.lastRunId);
  const skillClass = skill === undefined ? null : SkillClass.parse(skill.current?.class ?? skill.class);
  const isConfirmed = row.confirmedSubject !== null && row.confirmedSubject === skill?.current?.subject;
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
