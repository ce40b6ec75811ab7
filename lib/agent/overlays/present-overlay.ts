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

/** Work that has not ended after this time was interrupted by the end of the process. */
const LONGEST_WORK_MS = 15 * 60 * 1000;

/** Leaves out the evidence traces for callers who may not see them: they may belong to other people. */
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
    error: isCutOff ? "The server stopped before the optimiser finished. Start it again." : row.error,
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

export function aboutOverlay(row: OverlayRow, skill: Pick<SkillRow, "id" | "name" | "ownerId" | "toolName">) {
  return {
    concerns: skill.ownerId,
    target: { kind: "overlay", id: row.id, name: skill.name },
    skillId: skill.id,
    versionDigest: row.baseDigest,
    tool: skill.toolName,
  };
}

/** Whether the caller sees proposals: managers of the skill and people who see all traces. Others see published overlays. */
export function seesProposals(actor: Actor, skill: { ownerKey: string }): boolean {
  return isPerson(actor) && (seesAll(actor) || canManage(actor, skill));
}

/** States of overlays that agents use or have used. */
export const PUBLISHED_STATES = ["approved", "replaced"];

export function examplesOf(row: { fewShot: string }): OverlayExample[] {
  return parseJsonColumn(z.array(OverlayExample), row.fewShot);
}

/** Why this person may not decide on an overlay: only reviewers may, and outside solo mode not its proposer. */
export function whyNotDecide(
  actor: Actor,
  row: Pick<Prisma.OverlayGetPayload<object>, "createdById">,
  policy: SigningRules,
): string | null {
  if (!isPerson(actor) || !hasScope(actor, "review")) return "Only a reviewer may decide on this overlay.";
  if (!policy.soloMode && row.createdById === actor.userId) {
    return "You proposed this overlay; another reviewer has to decide.";
  }
  return null;
}

/** The proposer, the skill's owner and reviewers may withdraw an overlay; the skill's own texts then apply again. */
export function mayWithdraw(actor: Actor, row: { createdById: string | null }, skill: { ownerKey: string }): boolean {
  if (!isPerson(actor) || !hasScope(actor, "write")) return false;
  return hasScope(actor, "review") || row.createdById === actor.userId || ownerIdOf(skill.ownerKey) === actor.userId;
}
