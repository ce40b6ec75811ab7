import { z } from "zod";
import { type Actor, isPerson } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Overlay, Prisma } from "@/lib/db/generated/client";
import { ownerIdOf } from "@/lib/policy/ownership";
import { hasScope, seesAll } from "@/lib/policy/require-scope";
import { canManage, type SkillRow } from "@/lib/skills/skill-access";
import { OverlayContent, OverlayEvidence, OverlayExample, SkillOverlay } from "./schema";

export type OverlaySkill = { id: string; name: string; ownerKey: string; current: { digest: string } | null };
export type OverlayRow = Overlay;
export type SigningRules = { soloMode: boolean };

/** Work that has not ended by then was cut off by the end of the process. */
const LONGEST_WORK_MS = 15 * 60 * 1000;

/** For whoever does not see everybody’s traces nor manages the skill, without the uses it rests on: they may be others’. */
export function presentOverlay(
  { actor, now }: { actor: Actor; now(): Date },
  row: OverlayRow,
  skill: OverlaySkill,
  policy: SigningRules,
): SkillOverlay {
  const before = parseJsonColumn(OverlayContent, row.before);
  const evidence = parseJsonColumn(OverlayEvidence, row.evidence);
  const isCutOff = row.state === "working" && now().getTime() - row.createdAt.getTime() > LONGEST_WORK_MS;
  const state = isCutOff ? "failed" : row.state;
  const whyNot = whyNotDecide(actor, row, policy);
  const isOpen = state === "pending";
  return SkillOverlay.parse({
    ...row,
    skill,
    state,
    error: isCutOff ? "The server ended before the work was done; propose again." : row.error,
    isApplied: state === "approved" && skill.current?.digest === row.baseDigest,
    optimizedAt: row.optimizedAt.toISOString(),
    before,
    after: { description: row.description ?? before.description, fewShot: examplesOf(row) },
    evidence: seesProposals(actor, skill) ? evidence : { ...evidence, traces: [] },
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: row.decidedByName,
    you: {
      mayDecide: isOpen && whyNot === null,
      whyNot: isOpen ? whyNot : null,
      mayWithdraw: mayWithdraw(actor, row, skill) && (isOpen || state === "approved"),
    },
  });
}

/** What every event of an overlay says it is about. */
export function aboutOverlay(row: OverlayRow, skill: Pick<SkillRow, "id" | "name" | "ownerId" | "toolName">) {
  return {
    concerns: skill.ownerId,
    target: { kind: "overlay", id: row.id, name: skill.name },
    skillId: skill.id,
    versionDigest: row.baseDigest,
    tool: skill.toolName,
  };
}

/** Who manages a skill and who sees everybody’s traces also sees what is proposed; others, what agents are or were told. */
export function seesProposals(actor: Actor, skill: { ownerKey: string }): boolean {
  return isPerson(actor) && (seesAll(actor) || canManage(actor, skill));
}

/** States in which an overlay’s words are or were told to agents. */
export const PUBLISHED_STATES = ["approved", "replaced"];

export function examplesOf(row: { fewShot: string }): OverlayExample[] {
  return parseJsonColumn(z.array(OverlayExample), row.fewShot);
}

/** Why this person may not decide on an overlay: it takes a reviewer, and with solo mode off one who did not propose it. */
export function whyNotDecide(
  actor: Actor,
  row: Pick<Prisma.OverlayGetPayload<object>, "createdById">,
  policy: SigningRules,
): string | null {
  if (!isPerson(actor) || !hasScope(actor, "review")) return "Only a reviewer may decide on this overlay.";
  if (!policy.soloMode && row.createdById === actor.userId) {
    return "You proposed this overlay yourself; somebody else has to decide.";
  }
  return null;
}

/** Who proposed it, whose skill it is and reviewers may take an overlay back; the skill's own words then stand. */
export function mayWithdraw(actor: Actor, row: { createdById: string | null }, skill: { ownerKey: string }): boolean {
  if (!isPerson(actor) || !hasScope(actor, "write")) return false;
  return hasScope(actor, "review") || row.createdById === actor.userId || ownerIdOf(skill.ownerKey) === actor.userId;
}
