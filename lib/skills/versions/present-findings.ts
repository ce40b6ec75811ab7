import type { Ctx } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/settings";
import { selfReviewers } from "../approval/approval-round";
import { VersionFinding } from "./schema";

type Authored = { id: string; createdById: string; submittedById: string | null };
type VersionPart = Authored & { skillId: string; state: string; decidedAt: Date | null };

/** Findings of a version's last scan, with dismissals in this and other versions of the skill. */
export async function presentFindings(ctx: Ctx, version: VersionPart): Promise<VersionFinding[]> {
  const rows = await ctx.db.finding.findMany({ where: { versionId: version.id }, orderBy: { position: "asc" } });
  if (rows.length === 0) return [];
  const dismissals = await ctx.db.findingDismissal.findMany({
    where: { fingerprint: { in: rows.map((row) => row.fingerprint) }, version: { skillId: version.skillId } },
    orderBy: { at: "desc" },
    include: { version: { select: { digest: true, skill: { select: { ownerKey: true } } } } },
  });
  const skill = dismissals[0]?.version.skill;
  const settled = skill
    ? settledVersion(skill, version, await getSettings(ctx))
    : { id: version.id, but: new Set<string>() };
  return rows.map((row) => {
    const same = dismissals.filter((dismissal) => dismissal.fingerprint === row.fingerprint);
    const here = same.find((dismissal) => settles(dismissal, row, settled, ctx.now()));
    const before = here ? undefined : same[0];
    return VersionFinding.parse({
      ...row,
      isNew: isNewSince(version, row.firstSeenAt),
      dismissed: here ? presentDismissal(here) : null,
      dismissedBefore: before ? { ...presentDismissal(before), digest: before.version.digest } : null,
    });
  });
}

type Settling = {
  versionId: string;
  fingerprint: string;
  acceptedUntil: Date | null;
  lineHash: string;
  byId: string;
};

/** A version whose findings dismissals settle, without those of the people in `but`. */
export type SettledVersion = { id: string; but: ReadonlySet<string> };

/** What settles the findings of a version: outside solo mode, no dismissal of its authors and its owner. */
export function settledVersion(...about: [{ ownerKey: string }, Authored, { soloMode: boolean }]): SettledVersion {
  return { id: about[1].id, but: selfReviewers(...about) };
}

/**
 * Whether a dismissal settles a finding of a version: a plain one in its own version, an accepted one in every version of
 * the skill, until its end and while the finding's lines are the same. A finding without known lines, such as that of a dry
 * run, is settled in its own version only. An author of a version settles nothing of it through another one either.
 */
export function settles(
  dismissal: Settling,
  finding: { fingerprint: string; lineHash: string },
  version: SettledVersion,
  now: Date,
): boolean {
  if (dismissal.fingerprint !== finding.fingerprint || version.but.has(dismissal.byId)) return false;
  const isOwn = dismissal.versionId === version.id;
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
