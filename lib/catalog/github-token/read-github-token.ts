import { loadSealingKey, unseal } from "@/lib/core/seal";
import type { Ctx } from "@/lib/db/context";
import { SyncFailure } from "../sync-failure";
import { TOKEN_NAME } from "./token-key";

/** The stored token for GitHub, for calls of this server only; null when none is set. Throws `token_refused` when the key file is another one. */
export async function readGitHubToken(ctx: Ctx): Promise<string | null> {
  const row = await ctx.db.secret.findUnique({ where: { key: TOKEN_NAME } });
  if (row === null) return null;
  const token = unseal(await loadSealingKey(ctx.database.keyFolder), TOKEN_NAME, row.sealed);
  if (token !== null) return token;
  throw new SyncFailure("token_refused", "The stored GitHub token was sealed with another key file; set it again.");
}
