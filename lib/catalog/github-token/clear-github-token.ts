import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { TOKEN_NAME } from "./token-key";

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
