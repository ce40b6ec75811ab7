import type { User } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { User as UserRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { describeUser, lastSeenOf } from "./describe-user";

/** One person. */
export async function getUser(ctx: Ctx, id: string): Promise<User> {
  requireScope(ctx.actor, "admin");
  const row = await getUserRow(ctx, id);
  return describeUser(row, (await lastSeenOf(ctx, [id])).get(id) ?? null);
}

/** One person's row, for the verbs of this room. */
export async function getUserRow(ctx: Ctx, id: string): Promise<UserRow> {
  const row = await ctx.db.user.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no person ${id}.`);
  return row;
}
