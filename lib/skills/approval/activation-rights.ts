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

const MOST_OFFERED = 20;

/**
 * On what right this person may make a version active, or why they may not: like a person who may approve it with the terms that it
 * stands under. An owner so only within what owners approve alone. Throws `forbidden` for persons who neither own it nor review.
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
  // A round of other terms that is open says nothing about the terms that stand.
  const standing = { ...version, decisions: version.decisions.filter((decision) => decision.standing !== "open") };
  return judgeApprover(actor, skill, standing, policy, terms);
}

type NotActive = { id: string; currentId: string | null };

/** The approved versions of a skill that are not active, newest first, at most 20. */
export async function listActivatable(ctx: Ctx, skill: NotActive): Promise<VersionRef[]> {
  const rows = await findActivatable(ctx, skill);
  return rows.map(({ digest, number, state }) => ({ digest, number, state: VersionState.parse(state) }));
}

/** The same as a hint on what to do when no version is active; empty when there is none to make active. */
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
    take: MOST_OFFERED,
    select: { id: true, digest: true, number: true, state: true },
  });
}
