import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { requirePerson } from "@/lib/policy/require-scope";
import { type RunRow, withNames } from "./present-run";

/** Which runs a person sees: those they started, and those of their own skills; reviewers and admins see all. */
export function runsVisibleTo(actor: PersonActor): Prisma.RunWhereInput {
  if (actor.role !== "user") return {};
  return { OR: [{ callerId: actor.userId }, { skill: { ownerId: actor.userId } }] };
}

/** A run the caller may see, else `not_found`. */
export async function requireRun(ctx: Ctx, id: string): Promise<RunRow> {
  const actor = requirePerson(ctx.actor);
  const run = await ctx.db.run.findFirst({ where: { AND: [{ id }, runsVisibleTo(actor)] }, include: withNames });
  if (!run) throw new AppError("not_found", `There is no run ${id.slice(0, 64)} that you can see.`);
  return run;
}
