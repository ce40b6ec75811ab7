import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { getVersion } from "./get-version";
import type { ChangelogInput, Version } from "./schema";
import { requireManagedSkill } from "./skill-access";
import { requireVersion } from "./version-access";

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
        target: { kind: "skill", id: skill.id, name: skill.name },
        skillId: skill.id,
        versionDigest: version.digest,
        tool: skill.toolName,
        data: { before: version.changelog, after: changelog },
      });
    }
    return getVersion(txCtx, skill.id, version.digest);
  });
}
