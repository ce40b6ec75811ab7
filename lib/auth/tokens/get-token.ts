import type { ApiToken } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { describeToken, tokenInclude } from "./describe-token";

/** One token that is not revoked: the caller's own, or anybody's for an admin. */
export async function getToken(ctx: Ctx, id: string): Promise<ApiToken> {
  const actor = requireScope(ctx.actor, "read");
  const row = await ctx.db.apiToken.findUnique({ where: { id }, include: tokenInclude });
  const isVisible = row?.userId === actor.userId || hasScope(actor, "admin");
  if (row === null || row.revokedAt !== null || !isVisible) throw new AppError("not_found", `There is no token ${id}.`);
  return describeToken(row);
}
