import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireVersion } from "@/lib/skills/version-access";
import { getVersion } from "@/lib/skills/versions/get-version";
import type { Version } from "@/lib/skills/versions/schema";
import type { DismissFindingInput } from "./schema";

type Place = { id: string; digest: string; fingerprint: string };

/** Dismisses a finding for this version, with a reason. The finding is open again in the next version. */
export function dismissFinding(ctx: Ctx, place: Place, { reason }: DismissFindingInput): Promise<Version> {
  return changeDismissal(ctx, place, reason);
}

export function reopenFinding(ctx: Ctx, place: Place): Promise<Version> {
  return changeDismissal(ctx, place, null);
}

async function changeDismissal(ctx: Ctx, place: Place, reason: string | null): Promise<Version> {
  const actor = requireScope(ctx.actor, "review");
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, place.id, place.digest);
    const key = { versionId: version.id, fingerprint: place.fingerprint };
    const finding = await tx.finding.findUnique({ where: { versionId_fingerprint: key } });
    if (!finding)
      throw new AppError(
        "not_found",
        `Version ${version.digest.slice(0, 7)} has no such finding. Reload the page: a newer scan may have replaced it.`,
      );
    const dismissed = await tx.findingDismissal.findUnique({ where: { versionId_fingerprint: key } });
    if (reason !== null && dismissed) {
      throw new AppError("conflict", `${dismissed.byName} has already dismissed this finding: “${dismissed.reason}”.`);
    }
    if (reason === null && !dismissed) throw new AppError("conflict", "This finding is not dismissed.");
    if (reason === null) await tx.findingDismissal.delete({ where: { versionId_fingerprint: key } });
    else
      await tx.findingDismissal.create({
        data: { ...key, reason, byId: actor.userId, byName: actor.name, at: ctx.now() },
      });
    await recordEvent(tx, txCtx, {
      action: reason === null ? "finding.reopen" : "finding.dismiss",
      concerns: skill.ownerId ?? version.createdById,
      summary: `${reason === null ? "reopened" : "dismissed"} ${finding.rule} in ${skill.name} ${version.digest.slice(0, 7)}, ${finding.path}:${finding.line}`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      skillId: skill.id,
      versionDigest: version.digest,
      tool: skill.toolName,
      class: skill.class,
      data: {
        rule: finding.rule,
        severity: finding.severity,
        fingerprint: place.fingerprint,
        text: finding.text,
        reason,
      },
    });
    return getVersion(txCtx, skill.id, version.digest);
  });
}
