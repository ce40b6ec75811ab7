import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { requirePerson, seesAll } from "@/lib/policy/require-scope";
import { loadRun } from "./load-runs";
import type { RunRow } from "./present-run";

/** Which runs a person sees: those they started, and those of their own skills; who reviews or administers sees all. */
export function runsVisibleTo(actor: PersonActor): Prisma.RunWhereInput {
  if (seesAll(actor)) return {};
  return { OR: [{ callerId: actor.userId }, { skill: { ownerId: actor.userId } }] };
}

/** The same in SQL, for statements over `"Run"`. */
export function runsVisibleToSql(actor: PersonActor): Prisma.Sql {
  if (seesAll(actor)) return Prisma.sql`1 = 1`;
  return Prisma.sql`("callerId" = ${actor.userId}
    OR "skillId" IN (SELECT "id" FROM "Skill" WHERE "ownerId" = ${actor.userId}))`;
}

/** A run the caller may see, else `not_found`. */
export async function requireRun(ctx: Ctx, id: string): Promise<RunRow> {
  const actor = requirePerson(ctx.actor);
  const found = await loadRun(ctx, id);
  const owners = [found?.run.callerId, found?.ownerOfSkill];
  if (found === undefined || (!seesAll(actor) && !owners.includes(actor.userId)))
    throw new AppError("not_found", `There is no run ${id.slice(0, 64)} that you can see.`);
  return found.run;
}
