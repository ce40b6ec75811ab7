import { type Actor, isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { isScript } from "@/lib/skill-format/executables";
import { readGrants } from "./present-decisions";

type ReviewState = { state: string; grants: string | null };

/** State of an undecided or unstored version. */
export const UNREVIEWED: ReviewState = { state: "pending", grants: null };

/** Whether a file is withheld: agents get only scripts that a reviewer granted in a valid approval. */
export function isWithheld(actor: Actor, version: ReviewState, file: { path: string; mode: string }): boolean {
  if (!isAgent(actor) || !isScript(file) || isSkillMarker(file.path)) return false;
  return version.state !== "approved" || readGrants(version.grants)?.scripts !== true;
}

/** Throws `not_approved`: an unapproved version must not instruct an agent. Its person's drafts are allowed. */
export function assertAgentMayRead(
  actor: Actor,
  skill: { name: string },
  version: { state: string; digest: string; createdById: string },
): void {
  if (mayAgentRead(actor, version)) return;
  throw new AppError(
    "not_approved",
    `Version ${version.digest.slice(0, 7)} of “${skill.name}” is not approved; agents can read only approved versions.`,
  );
}

/** Like `assertAgentMayRead`, but returns the result; always true for people. */
export function mayAgentRead(actor: Actor, version: { state: string; createdById: string }): boolean {
  if (!isAgent(actor) || version.state === "approved") return true;
  return version.state === "draft" && actor.userId === version.createdById;
}

type StoredFile = { path: string; mode: string; size: number; isText: boolean };

/** Whether agents may read a file: text up to 256 KiB, and scripts only if granted. `size` in bytes. */
export function isAgentFile(file: StoredFile, { mayScripts }: { mayScripts: boolean }): boolean {
  if (!file.isText || file.size > MAX_AGENT_TEXT_BYTES) return false;
  return mayScripts || !isScript(file) || isSkillMarker(file.path);
}
