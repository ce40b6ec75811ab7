import type { Ctx } from "@/lib/db/context";

/** Whether an active admin can sign in with an account of one of these issuers: they have done so, or connected it, before. */
export async function hasConnectedAdmin(ctx: Ctx, issuers: string[]): Promise<boolean> {
  const where = { issuer: { in: issuers }, user: { role: "admin", state: "active" } };
  return issuers.length > 0 && (await ctx.db.connectedSignIn.count({ where })) > 0;
}
