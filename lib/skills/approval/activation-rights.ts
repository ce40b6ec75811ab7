import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { ownerIdOf } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { type SigningPolicy, type SigningRight, signerOf } from "@/lib/policy/signatures-needed";
import { SkillClass } from "@/lib/skill-format/schema";
import { howToActivate, type VersionRow } from "@/lib/skills/version-access";
import { readEntry, readGrants } from "@/lib/skills/versions/present-decisions";
import { type VersionRef, VersionState } from "@/lib/skills/versions/schema";
import { judgeApprover } from "./approval-round";

const MAX_LISTED = 20;

/**
 * The right on which this person may activate a version, or why they may not: the rules are those of approving it with
 * its current terms. Owners may activate only what they may approve alone. Throws `forbidden` for persons who neither
 * own the skill nor review.
 */
export function judgeActivator(
  actor: PersonActor,
  skill: { ownerKey: string; visibility: string },
  version: VersionRow,
  policy: SigningPolicy,
): { right: SigningRight } | { whyNot: string } {
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  if (!isOwner && !signerOf(actor).canReview) requireScope(actor, "review");
  const terms = {
    class: version.class === null ? undefined : SkillClass.catch("dangerous").parse(version.class),
    grants: readGrants(version.grants) ?? undefined,
    entry: readEntry(version.entry),
  };
  // An open round with other terms does not affect the current terms.
  const standing = { ...version, decisions: version.decisions.filter((decision) => decision.standing !== "open") };
  return judgeApprover(actor, skill, standing, policy, terms);
}

type NotActive = { id: string; currentId: string | null };

/** The approved, inactive versions of a skill, newest first, at most 20. */
export async function listActivatable(ctx: Ctx, skill: NotActive): Promise<VersionRef[]> {
  const rows = await findActivatable(ctx, skill);
  return rows.map(({ digest, number, state }) => ({ digest, number, state: VersionState.parse(state) }));
}

/** A hint on how to activate the newest of these versions; empty without one. */
export async function activationHint(ctx: Ctx, skill: NotActive): Promise<string> {
  const [newest] = await findActivatable(ctx, skill);
  return newest === undefined ? "" : howToActivate(skill, newest);
}

function findActivatable(ctx: Ctx, skill: NotActive) {
  return ctx.db.version.findMany({
    where: {
      skillId: skill.id,
      state: "approved",
      ...(skill.currentId === null ? {} : { id: { not: skill.currentId } }),
    },
    orderBy: { number: "desc" },
    take: MAX_LISTED,
    select: { id: true, digest: true, number: true, state: true },
  });
}
