import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { GitHubTokenStatus } from "../sources/schema";
import { TOKEN_NAME } from "./token-key";

/** Whether a token for GitHub is stored, since when and by whom; never the token. */
export async function getGitHubToken(ctx: Ctx): Promise<GitHubTokenStatus> {
  requireScope(ctx.actor, "admin");
  const select = { updatedAt: true, updatedBy: true };
  const row = await ctx.db.secret.findUnique({ where: { key: TOKEN_NAME }, select });
  return { isSet: row !== null, setAt: row?.updatedAt.toISOString() ?? null, setBy: row?.updatedBy ?? null };
}
