import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma, Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { hasScope, requirePerson, seesAll } from "@/lib/policy/require-scope";

/** The schedules that an actor may see: an agent those of its token, a user their own, reviewers and admins all. */
export function schedulesVisibleTo(actor: PersonActor): Prisma.ScheduleWhereInput {
  if (isAgent(actor)) return { ownerId: actor.userId, tokenId: actor.tokenId };
  return seesAll(actor) ? {} : { ownerId: actor.userId };
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
  const row = await ctx.db.schedule.findFirst({ where: { AND: [{ id }, schedulesVisibleTo(actor)] } });
  if (row === null) throw new AppError("not_found", `There is no schedule ${id.slice(0, 64)} that you can see.`);
  return row;
}

export function notYours(row: Pick<ScheduleRow, "name" | "ownerName">): AppError {
  const detail = `The schedule “${row.name}” belongs to ${row.ownerName}; an admin may switch it off or delete it.`;
  return new AppError("forbidden", detail, { rule: "schedule-owner" });
}
