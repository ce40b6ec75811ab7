import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { readComposed } from "@/lib/db/composed-sql";
import type { Ctx } from "@/lib/db/context";
import { Prisma, type Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { hasScope, requirePerson, seesAll } from "@/lib/policy/require-scope";

/**
 * Condition for `"Schedule"`: the schedules that an actor may see. An agent sees those of its token, a user their own,
 * reviewers and admins all.
 */
export function visibleSchedules(actor: PersonActor): Prisma.Sql {
  if (isAgent(actor)) return Prisma.sql`"ownerId" = ${actor.userId} AND "tokenId" = ${actor.tokenId}`;
  return seesAll(actor) ? Prisma.sql`1 = 1` : Prisma.sql`"ownerId" = ${actor.userId}`;
}

export const SCHEDULE_COLUMNS = {
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
