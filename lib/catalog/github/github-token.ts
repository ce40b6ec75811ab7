import { recordEvent } from "@/lib/audit/record-event";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { GitHubTokenInput, GitHubTokenStatus } from "../sources/schema";
import { SyncFailure } from "../sync-failure";
import { githubHosts } from "./hosts";
import { rateLimitGuardOf } from "./rate-limit";

/** Under which the token for GitHub is stored, sealed. */
export const TOKEN_NAME = "github.token";

/** Whether a token for GitHub is stored, since when and by whom; never the token. */
export async function getGitHubToken(ctx: Ctx): Promise<GitHubTokenStatus> {
  requireScope(ctx.actor, "admin");
  const select = { updatedAt: true, updatedBy: true };
  const row = await ctx.db.secret.findUnique({ where: { key: TOKEN_NAME }, select });
  return { isSet: row !== null, setAt: row?.updatedAt.toISOString() ?? null, setBy: row?.updatedBy ?? null };
}

/** Stores the token for GitHub, sealed; it is used from the next request to GitHub on and never shown again. */
export async function setGitHubToken(ctx: Ctx, input: GitHubTokenInput): Promise<GitHubTokenStatus> {
  const actor = requireScope(ctx.actor, "admin");
  const sealed = seal(await loadSealingKey(ctx.database.keyFolder), TOKEN_NAME, input.token);
  const status = await inTransaction(ctx, async (tx, txCtx) => {
    const data = { sealed, updatedAt: ctx.now(), updatedBy: actor.name };
    await tx.secret.upsert({ where: { key: TOKEN_NAME }, create: { key: TOKEN_NAME, ...data }, update: data });
    await recordEvent(tx, txCtx, {
      action: "github_token.set",
      summary: "set the GitHub token of the catalog",
      target: { kind: "secret", id: TOKEN_NAME, name: "GitHub token" },
    });
    return getGitHubToken(txCtx);
  });
  // The limit that was used up was another one.
  rateLimitGuardOf(githubHosts().apiUrl).clear();
  return status;
}

/** Forgets the token for GitHub. Without one this changes nothing. */
export async function clearGitHubToken(ctx: Ctx): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { count } = await tx.secret.deleteMany({ where: { key: TOKEN_NAME } });
    if (count === 0) return;
    await recordEvent(tx, txCtx, {
      action: "github_token.clear",
      summary: "removed the GitHub token of the catalog",
      target: { kind: "secret", id: TOKEN_NAME, name: "GitHub token" },
    });
  });
}

/** The stored token for GitHub, for calls of this server only; null when none is set. Throws `token_refused` when the key file is another one. */
export async function readGitHubToken(ctx: Ctx): Promise<string | null> {
  const row = await ctx.db.secret.findUnique({ where: { key: TOKEN_NAME } });
  if (row === null) return null;
  const token = unseal(await loadSealingKey(ctx.database.keyFolder), TOKEN_NAME, row.sealed);
  if (token !== null) return token;
  throw new SyncFailure("token_refused", "The stored GitHub token was sealed with another key file; set it again.");
}
