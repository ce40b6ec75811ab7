import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { howToActivate } from "./activation-rights";
import { getVersion } from "./get-version";
import { markPending } from "./mark-pending";
import type { ChangelogInput, Version } from "./schema";
import { setChangelog } from "./set-changelog";
import { requireManagedSkill } from "./skill-access";
import { requireVersion } from "./version-access";

/** Hands a draft, or a version that was sent back, to review, with what its owner says is new if they say it now. */
export async function submitVersion(
  ctx: Ctx,
  idOrName: string,
  digest: string,
  notes: Partial<ChangelogInput> = {},
): Promise<Version> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const { version } = await requireVersion(txCtx, skill.id, digest);
    if (version.state !== "draft" && version.state !== "changes_requested") {
      throw new AppError(
        "conflict",
        `Version ${version.digest.slice(0, 7)} is ${version.state.replace("_", " ")}; only drafts can be submitted.${howToActivate(skill, version)}`,
      );
    }
    if (notes.changelog !== undefined) {
      await setChangelog(txCtx, skill.id, version.digest, { changelog: notes.changelog });
    }
    await markPending(tx, txCtx, version);
    return getVersion(txCtx, skill.id, version.digest);
  });
}
