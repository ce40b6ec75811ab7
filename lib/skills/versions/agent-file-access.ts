import { type Actor, isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { isScript } from "@/lib/skill-format/carried";
import { readGrants } from "./present-decisions";

type ReviewState = { state: string; grants: string | null };

/** What stands for a version that nobody has decided on, or that is not stored at all. */
export const UNREVIEWED: ReviewState = { state: "pending", grants: null };

/** Whether a file is kept from who asks: an agent gets no script that a reviewer has not granted with an approval that stands. */
export function isWithheld(actor: Actor, version: ReviewState, file: { path: string; mode: string }): boolean {
  if (!isAgent(actor) || !isScript(file) || isSkillMarker(file.path)) return false;
  return version.state !== "approved" || readGrants(version.grants)?.scripts !== true;
}

/**
 * An agent reads no bytes that nobody has approved, nor any whose approval was taken back: they are instructions to it. It
 * may read the drafts of its own person, to help with the writing. Throws `not_approved`.
 */
export function assertAgentMayRead(
  actor: Actor,
  skill: { name: string },
  version: { state: string; digest: string; createdById: string },
): void {
  if (mayAgentRead(actor, version)) return;
  throw new AppError(
    "not_approved",
    `Version ${version.digest.slice(0, 7)} of “${skill.name}” is not approved; agents read approved versions only.`,
  );
}

/** The same as an answer; true for all who are no agents. */
export function mayAgentRead(actor: Actor, version: { state: string; createdById: string }): boolean {
  if (!isAgent(actor) || version.state === "approved") return true;
  return version.state === "draft" && actor.userId === version.createdById;
}
