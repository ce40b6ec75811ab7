import { findPersona } from "@/lib/auth/personas";
import { type Actor, isPerson } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { addressOf, findEntry } from "@/lib/policy/eligibility/find-entry";
import { whyRefused } from "@/lib/policy/gate-run";
import { ownerIdOf } from "@/lib/policy/ownership";
import { JsonObject } from "@/lib/skill-format/schema";
import { readEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";
import { mayBeOwnerApproved } from "@/lib/skills/approval/owner-approval";
import { refusedPipelines } from "@/lib/skills/pipeline/refused-pipelines";
import { servedClass, visibleTo } from "@/lib/skills/skill-access";
import type { PublishedSkill, PublishedVersion } from "./published";

/** Which skills a viewer may know of, deleted ones too. Nobody in particular knows of public ones only. */
export function knownTo(actor: Actor): Prisma.SkillWhereInput {
  if (!isPerson(actor)) return { visibility: "public" };
  const { deletedAt: _, ...seen } = visibleTo(actor);
  return seen;
}

export type IsOffered = (skill: PublishedSkill, version: PublishedVersion) => boolean;
type IsKeptAway = (skill: PublishedSkill, version?: PublishedVersion) => boolean;

/**
 * Whether a version is offered to the viewer of `ctx` at this moment: approved, of a skill that is there, listed, switched
 * on, and kept away neither by an admin’s rule nor by the viewer’s persona. What its owner approved alone is
 * kept away from everybody but its owner, and from capability URLs, which others can have. Asks the database for those two once.
 */
export async function offeredTo(ctx: Ctx): Promise<{ isOffered: IsOffered; isKeptAway: IsKeptAway }> {
  const persona = isPerson(ctx.actor) ? await findPersona(ctx, ctx.actor) : null;
  const policy = await readEligibilityPolicy(ctx);
  const bySteps = persona === "missing" ? new Set() : await refusedPipelines(ctx, persona, knownTo(ctx.actor));
  const hasRules = Object.keys(policy.entries).length > 0;
  const isKeptAway: IsKeptAway = (skill, version) =>
    bySteps.has(skill.id) ||
    whyRefused(persona, { ...skill, class: servedClass(skill) }) !== null ||
    (version !== undefined && !isOwner(ctx.actor, skill) && mayBeOwnerApproved({ skill, version }));
  const isOffered: IsOffered = (skill, version) =>
    version.state === "approved" &&
    skill.deletedAt === null &&
    skill.listed &&
    skill.enabled &&
    !isKeptAway(skill, version) &&
    (!hasRules || findEntry(policy, addressOf(skill, { folder: folderOf(version) }))?.entry.enabled !== false);
  return { isOffered, isKeptAway };
}

function isOwner(actor: Actor, { ownerKey }: PublishedSkill): boolean {
  if (!isPerson(actor) || (actor.kind === "token" && actor.isCapabilityUrl === true)) return false;
  return ownerIdOf(ownerKey) === actor.userId;
}

function folderOf({ provenance }: PublishedVersion): unknown {
  return parseJsonColumn(JsonObject, provenance).folder;
}
