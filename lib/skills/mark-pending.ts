import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import type { Ctx, Tx } from "@/lib/db/context";

/** Puts a version in front of the reviewers, in the caller's transaction. */
export async function markPending(
  tx: Tx,
  ctx: Ctx,
  version: { id: string; skillId: string; digest: string },
): Promise<void> {
  await tx.version.update({
    where: { id: version.id },
    data: { state: "pending", submittedAt: ctx.now(), ...submitter(ctx) },
  });
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

/** Who asks for the review: like whoever brought the bytes in, they do not sign it themselves. */
export function submitter({ actor }: Ctx): { submittedById: string | null; submittedByName: string | null } {
  return isPerson(actor)
    ? { submittedById: actor.userId, submittedByName: actor.name }
    : { submittedById: null, submittedByName: null };
}
