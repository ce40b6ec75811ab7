import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { aboutSkill } from "@/lib/skills/about-skill";
import { requireManagedSkill } from "@/lib/skills/skill-access";
import { howToActivate, requireVersion } from "@/lib/skills/version-access";
import { getVersion } from "./get-version";
import type { ChangelogInput, Version } from "./schema";
import { markPending } from "./store-version";

/** Submits a draft, or a version with requested changes, for review, optionally with a changelog. */
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
        `Version ${version.digest.slice(0, 7)} is ${version.state.replace("_", " ")}; only drafts can be submitted for review.${howToActivate(skill, version)}`,
      );
    }
    if (notes.changelog !== undefined) {
      await setChangelog(txCtx, skill.id, version.digest, { changelog: notes.changelog });
    }
    await markPending(tx, txCtx, version);
    return getVersion(txCtx, skill.id, version.digest);
  });
}

const UNDECIDED = ["draft", "pending", "changes_requested"];

/** Sets the changelog of an undecided version; afterwards `conflict`, because people relied on it. */
export async function setChangelog(
  ctx: Ctx,
  idOrName: string,
  digest: string,
  { changelog }: ChangelogInput,
): Promise<Version> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const { version } = await requireVersion(txCtx, skill.id, digest);
    if (!UNDECIDED.includes(version.state)) {
      const state = version.state.replace("_", " ");
      throw new AppError(
        "conflict",
        `Version ${version.digest.slice(0, 7)} is ${state}; its changelog can no longer change.`,
      );
    }
    if (version.changelog !== changelog) {
      await tx.version.update({ where: { id: version.id }, data: { changelog } });
      await recordEvent(tx, txCtx, {
        action: "version.changelog",
        summary: `${changelog === null ? "cleared" : "wrote"} the changelog of ${skill.name} ${version.digest.slice(0, 7)}`,
        concerns: skill.ownerId,
        ...aboutSkill(skill),
        versionDigest: version.digest,
        data: { before: version.changelog, after: changelog },
      });
    }
    return getVersion(txCtx, skill.id, version.digest);
  });
}
