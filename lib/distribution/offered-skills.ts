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
import { refusedPipelines } from "@/lib/skills/pipeline/plan-pipeline";
import { servedClass, visibleTo } from "@/lib/skills/skill-access";
import type { PublishedSkill, PublishedVersion } from "./published";

/** Skills that a viewer may know of, deleted ones included; anonymous viewers know public ones only. */
export function knownTo(actor: Actor): Prisma.SkillWhereInput {
  if (!isPerson(actor)) return { visibility: "public" };
  const { deletedAt: _, ...where } = visibleTo(actor);
  return where;
}

type IsOffered = (skill: PublishedSkill, version: PublishedVersion) => boolean;
type IsHidden = (skill: PublishedSkill, version?: PublishedVersion) => boolean;

/**
 * Returns checks for the viewer of `ctx`. A version is offered when it is approved, listed, enabled and not deleted,
 * and neither an admin's rule nor the viewer's persona hides it. A version that its owner approved alone is hidden from
 * everyone else, and from capability URLs. Reads rules and persona once.
 */
export async function offeredTo(ctx: Ctx): Promise<{ isOffered: IsOffered; isHidden: IsHidden }> {
  const persona = isPerson(ctx.actor) ? await findPersona(ctx, ctx.actor) : null;
  const policy = await readEligibilityPolicy(ctx);
  const refused = persona === "missing" ? new Set() : await refusedPipelines(ctx, persona, knownTo(ctx.actor));
  const hasRules = Object.keys(policy.entries).length > 0;
  const isHidden: IsHidden = (skill, version) =>
    refused.has(skill.id) ||
    whyRefused(persona, { ...skill, class: servedClass(skill) }) !== null ||
    (version !== undefined && !isOwner(ctx.actor, skill) && isForOwnUse(skill, version));
  const isOffered: IsOffered = (skill, version) =>
    version.state === "approved" &&
    skill.deletedAt === null &&
    skill.listed &&
    skill.enabled &&
    !isHidden(skill, version) &&
    (!hasRules || findEntry(policy, addressOf(skill, { folder: folderOf(version) }))?.entry.enabled !== false);
  return { isOffered, isHidden };
}

const judged = new WeakMap<PublishedVersion, boolean>();

/** Judged once for each row: kept rows are shared by all viewers, and a statement takes longer to parse than all the rest. */
function isForOwnUse(skill: PublishedSkill, version: PublishedVersion): boolean {
  const known = judged.get(version);
  if (known !== undefined) return known;
  const found = mayBeOwnerApproved({ skill, version });
  judged.set(version, found);
  return found;
}

function isOwner(actor: Actor, { ownerKey }: PublishedSkill): boolean {
  if (!isPerson(actor) || (actor.kind === "token" && actor.isCapabilityUrl === true)) return false;
  return ownerIdOf(ownerKey) === actor.userId;
}

function folderOf({ provenance }: PublishedVersion): unknown {
  return parseJsonColumn(JsonObject, provenance).folder;
}
