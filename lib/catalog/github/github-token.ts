import { recordEvent } from "@/lib/audit/record-event";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { GitHubTokenInput, GitHubTokenStatus } from "../sources/schema";
import { SyncFailure } from "../sync-failure";
import { githubHosts } from "./hosts";
import { rateLimitGuardOf } from "./rate-limit";

export const TOKEN_NAME = "github.token";

/** Whether a GitHub token is stored, since when and by whom; never the token itself. */
export async function getGitHubToken(ctx: Ctx): Promise<GitHubTokenStatus> {
  requireScope(ctx.actor, "admin");
  const select = { updatedAt: true, updatedBy: true };
  const row = await ctx.db.secret.findUnique({ where: { key: TOKEN_NAME }, select });
  return { isSet: row !== null, setAt: row?.updatedAt.toISOString() ?? null, setBy: row?.updatedBy ?? null };
}

/** Stores the GitHub token, sealed. The next request to GitHub uses it; it is never shown again. */
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
  // The new token has a quota of its own.
  rateLimitGuardOf(githubHosts().apiUrl).clear();
  return status;
}

/** Deletes the stored GitHub token, if there is one. */
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

/** The stored GitHub token, for this server's own requests; null without one. Throws `token_refused` when the key file was replaced. */
export async function readGitHubToken(ctx: Ctx): Promise<string | null> {
  const row = await ctx.db.secret.findUnique({ where: { key: TOKEN_NAME } });
  if (row === null) return null;
  const token = unseal(await loadSealingKey(ctx.database.keyFolder), TOKEN_NAME, row.sealed);
  if (token !== null) return token;
  throw new SyncFailure("token_refused", "The stored GitHub token was sealed with another key file; set it again.");
}
