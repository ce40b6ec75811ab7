import { isAgent, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { capDescription } from "@/lib/skill-format/cap-description";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { assertOffered } from "@/lib/skills/access/judge-stored-skill";
import { checkServable } from "@/lib/skills/approval/check-servable";
import { whyNotServedToCaller } from "@/lib/skills/approval/owner-approval";
import { markUsed } from "@/lib/skills/lifecycle";
import { assertStepsAllowed } from "@/lib/skills/pipeline/plan-pipeline";
import { requireSkill, type SkillRow, unlistedMessage } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import { isAgentFile } from "./agent-file-access";
import { readGrants } from "./present-decisions";
import { readVersionFiles } from "./read-blob";
import type { SkillInstructions } from "./schema";

/** Minimum time between two recorded uses. */
const QUIET_MS = 60 * 60 * 1000;

/**
 * The active playbook for an agent, and the paths of the other files that it may read: text up to 256 KiB, and scripts
 * only when a reviewer granted them. `capabilities`: those that the agent's own host reports. `byPerson`: a person
 * started the skill; otherwise skills that only people may start are refused.
 */
export async function getInstructions(
  ctx: Ctx,
  idOrName: string,
  { capabilities = null, byPerson = false }: { capabilities?: readonly string[] | null; byPerson?: boolean } = {},
): Promise<SkillInstructions> {
  const skill = await requireSkill(ctx, idOrName);
  if (!skill.listed) throw new AppError("not_approved", unlistedMessage(skill), { rule: "unlisted" });
  if (!skill.current) throw new AppError("not_approved", `“${skill.name}” has no approved version.`);
  const { version } = await requireVersion(ctx, skill.id, skill.current.digest);
  const problem = await checkServable(ctx, { skill, version });
  await assertOffered(ctx, skill, capabilities);
  await assertStepsAllowed(ctx, skill);
  if (problem !== null) {
    throw new AppError("not_approved", `The stored version of “${skill.name}” differs from its approval: ${problem}.`);
  }
  const own = whyNotServedToCaller({ skill, version }, isPerson(ctx.actor) ? ctx.actor.userId : null);
  if (own !== null) throw new AppError("not_approved", `“${skill.name}” cannot be used: ${own}.`, { rule: "own-use" });
  // Read from the approved bytes, with checked hashes, and not from stored columns.
  const { manifest } = readSkill(await readVersionFiles(ctx, version), { folder: skill.slug });
  if (manifest.disableModelInvocation && !byPerson && isPerson(ctx.actor) && isAgent(ctx.actor))
    throw onlyPeopleStart(skill);
  const mayScripts = readGrants(version.grants)?.scripts === true;
  await recordUse(ctx, skill);
  return {
    name: manifest.name,
    description: capDescription(manifest.description),
    whenToUse: manifest.whenToUse && capDescription(manifest.whenToUse),
    instructions: manifest.body,
    allowedTools: manifest.allowedTools,
    contextFork: manifest.contextFork,
    resources: version.files
      .filter((file) => file.path.toLowerCase() !== "skill.md" && isAgentFile(file, { mayScripts }))
      .map((file) => file.path),
    digest: version.digest,
  };
}

/** Error for a model that reads a skill which only people may start. */
export function onlyPeopleStart({ name }: { name: string }): AppError {
  const message = `Only people may start “${name}”: its author does not allow models to load it.`;
  return new AppError("forbidden", message, { rule: "model-invocation" });
}

/** Only reading with a token counts as use, not viewing in a browser. */
async function recordUse(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (ctx.actor.kind !== "token") return;
  const isFresh = skill.lastUsedAt !== null && ctx.now().getTime() - skill.lastUsedAt.getTime() < QUIET_MS;
  if (isFresh && skill.lifecycle === "active") return;
  await inTransaction(ctx, (tx, txCtx) => markUsed(tx, txCtx, skill));
}
