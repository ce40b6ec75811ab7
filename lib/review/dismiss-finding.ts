import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { requireVersion } from "@/lib/skills/version-access";
import { getVersion } from "@/lib/skills/versions/get-version";
import { settledVersion, settles } from "@/lib/skills/versions/present-findings";
import type { Version } from "@/lib/skills/versions/schema";
import type { DismissFindingInput } from "./schema";

type Place = { id: string; digest: string; fingerprint: string };

const MAX_ACCEPTED_DAYS = 366;

/**
 * Dismisses a finding for this version, with a reason; it is open again in the next version. With `until`, accepts it as
 * known in every version of the skill until then, while its lines are the same. Outside solo mode, owners and authors may not
 * (`separation_of_duties`).
 */
export async function dismissFinding(ctx: Ctx, place: Place, { reason, until }: DismissFindingInput): Promise<Version> {
  const acceptedUntil = until === undefined ? null : new Date(until);
  const last = ctx.now().getTime() + MAX_ACCEPTED_DAYS * 86_400_000;
  if (acceptedUntil !== null && (acceptedUntil <= ctx.now() || acceptedUntil.getTime() > last)) {
    throw new AppError("invalid", "The end of the acceptance is not within the next 366 days. Choose another date.", {
      errors: [{ path: "until", message: "Enter a date within the next 366 days" }],
    });
  }
  return changeDismissal(ctx, place, { reason, acceptedUntil });
}

export function reopenFinding(ctx: Ctx, place: Place): Promise<Version> {
  return changeDismissal(ctx, place, null);
}

type Dismissed = { reason: string; acceptedUntil: Date | null };

async function changeDismissal(ctx: Ctx, place: Place, change: Dismissed | null): Promise<Version> {
  const actor = requireScope(ctx.actor, "review");
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, place.id, place.digest);
    const settled = settledVersion(skill, version, await getSettings(txCtx));
    if (change !== null && settled.but.has(actor.userId))
      throw new AppError(
        "separation_of_duties",
        "You own or wrote this version, so another reviewer has to settle its findings. Say in a comment why this one is there.",
      );
    const key = { versionId: version.id, fingerprint: place.fingerprint };
    const finding = await tx.finding.findUnique({ where: { versionId_fingerprint: key } });
    if (!finding)
      throw new AppError(
        "not_found",
        `Version ${version.digest.slice(0, 7)} has no such finding. Reload the page: a newer scan may have replaced it.`,
      );
    const same = await tx.findingDismissal.findMany({
      where: { fingerprint: place.fingerprint, version: { skillId: skill.id } },
    });
    const dismissed = same.find((dismissal) => settles(dismissal, finding, settled, ctx.now()));
    if (change !== null && dismissed) {
      throw new AppError("conflict", `${dismissed.byName} has already dismissed this finding: “${dismissed.reason}”.`);
    }
    if (change === null && !dismissed) throw new AppError("conflict", "This finding is not dismissed.");
    if (change === null) {
      // An acceptance of another version settles this one too, so all of them end.
      const settling = same.filter((dismissal) => settles(dismissal, finding, settled, ctx.now()));
      await tx.findingDismissal.deleteMany({
        where: { fingerprint: place.fingerprint, versionId: { in: settling.map(({ versionId }) => versionId) } },
      });
    } else {
      const made = { ...change, lineHash: finding.lineHash, byId: actor.userId, byName: actor.name, at: ctx.now() };
      await tx.findingDismissal.upsert({
        where: { versionId_fingerprint: key },
        create: { ...key, ...made },
        update: made,
      });
    }
    const verb = change === null ? "reopened" : change.acceptedUntil === null ? "dismissed" : "accepted";
    const end = change?.acceptedUntil ? ` until ${change.acceptedUntil.toISOString().slice(0, 10)}` : "";
    await recordEvent(tx, txCtx, {
      action: change === null ? "finding.reopen" : "finding.dismiss",
      concerns: skill.ownerId ?? version.createdById,
      summary: `${verb} ${finding.rule} in ${skill.name} ${version.digest.slice(0, 7)}, ${finding.path}:${finding.line}${end}`,
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
        reason: change?.reason ?? null,
        acceptedUntil: change?.acceptedUntil?.toISOString() ?? null,
      },
    });
    return getVersion(txCtx, skill.id, version.digest);
  });
}
