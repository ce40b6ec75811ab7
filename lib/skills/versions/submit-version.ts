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

const UNDECIDED = ["draft", "pending", "changes_requested"];

/** Says what is new in a version. Only until it is decided on (`conflict`): afterwards people rely on what it says. */
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
      throw new AppError("conflict", `Version ${version.digest.slice(0, 7)} is ${state}; its changelog is settled.`);
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
