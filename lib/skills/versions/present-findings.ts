import type { Ctx } from "@/lib/db/context";
import { VersionFinding } from "./schema";

type VersionPart = { id: string; skillId: string; state: string; decidedAt: Date | null };

/** Findings of a version's last scan, with dismissals in this and other versions of the skill. */
export async function presentFindings(ctx: Ctx, version: VersionPart): Promise<VersionFinding[]> {
  const rows = await ctx.db.finding.findMany({ where: { versionId: version.id }, orderBy: { position: "asc" } });
  if (rows.length === 0) return [];
  const dismissals = await ctx.db.findingDismissal.findMany({
    where: { fingerprint: { in: rows.map((row) => row.fingerprint) }, version: { skillId: version.skillId } },
    orderBy: { at: "desc" },
    include: { version: { select: { digest: true } } },
  });
  return rows.map((row) => {
    const same = dismissals.filter((dismissal) => dismissal.fingerprint === row.fingerprint);
    const here = same.find((dismissal) => settles(dismissal, row, version.id, ctx.now()));
    const before = here ? undefined : same[0];
    return VersionFinding.parse({
      ...row,
      isNew: isNewSince(version, row.firstSeenAt),
      dismissed: here ? presentDismissal(here) : null,
      dismissedBefore: before ? { ...presentDismissal(before), digest: before.version.digest } : null,
    });
  });
}

type Settling = { versionId: string; fingerprint: string; acceptedUntil: Date | null; lineHash: string };

/**
 * Whether a dismissal settles a finding of a version: a plain one in its own version, an accepted one in every version of
 * the skill, until its end and while the finding's lines are the same. A finding without known lines, such as that of a dry
 * run, is settled in its own version only.
 */
export function settles(
  dismissal: Settling,
  finding: { fingerprint: string; lineHash: string },
  versionId: string,
  now: Date,
): boolean {
  if (dismissal.fingerprint !== finding.fingerprint) return false;
  const isOwn = dismissal.versionId === versionId;
  if (dismissal.acceptedUntil === null) return isOwn;
  const areSameLines = dismissal.lineHash === finding.lineHash && (isOwn || finding.lineHash !== "");
  return dismissal.acceptedUntil > now && areSameLines;
}

/** Whether a finding appeared only after the version was approved. */
export function isNewSince(version: { state: string; decidedAt: Date | null }, firstSeenAt: Date): boolean {
  return version.state === "approved" && version.decidedAt !== null && firstSeenAt > version.decidedAt;
}

type Presented = { byId: string; byName: string; at: Date; reason: string; acceptedUntil: Date | null };

function presentDismissal(dismissal: Presented) {
  return {
    by: { id: dismissal.byId, name: dismissal.byName },
    at: dismissal.at.toISOString(),
    reason: dismissal.reason,
    acceptedUntil: dismissal.acceptedUntil?.toISOString() ?? null,
  };
}
