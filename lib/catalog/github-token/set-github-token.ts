import { recordEvent } from "@/lib/audit/record-event";
import { loadSealingKey, seal } from "@/lib/core/seal";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { githubHosts } from "../github/hosts";
import { rateGateOf } from "../github/rate-gate";
import type { GitHubTokenInput, GitHubTokenStatus } from "../sources/schema";
import { getGitHubToken } from "./get-github-token";
import { TOKEN_NAME } from "./token-key";

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
  rateGateOf(githubHosts().apiUrl).open();
  return status;
}
