import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx, Tx } from "@/lib/db/context";

/** Puts a version in front of the reviewers, in the caller's transaction. */
export async function markPending(
  tx: Tx,
  ctx: Ctx,
  version: { id: string; skillId: string; digest: string },
): Promise<void> {
  await tx.version.update({ where: { id: version.id }, data: { state: "pending", submittedAt: ctx.now() } });
  const skill = await tx.skill.update({
    where: { id: version.skillId },
    data: { pendingId: version.id, updatedAt: ctx.now() },
  });
  await recordEvent(tx, ctx, {
    action: "version.submit",
    summary: `submitted ${skill.name} ${version.digest.slice(0, 7)} for review`,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    versionDigest: version.digest,
    tool: skill.toolName,
  });
}
