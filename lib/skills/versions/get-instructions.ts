import { isAgent, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { capDescription } from "@/lib/skill-format/cap-description";
import { isAgentFile } from "@/lib/skill-format/is-agent-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { assertOffered } from "@/lib/skills/access/judge-stored-skill";
import { checkServable } from "@/lib/skills/approval/check-servable";
import { whyNotServedToCaller } from "@/lib/skills/approval/owner-approval";
import { markUsed } from "@/lib/skills/lifecycle";
import { assertStepsAllowed } from "@/lib/skills/pipeline/refused-pipelines";
import { requireSkill, type SkillRow, unlistedMessage } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import { readGrants } from "./present-decisions";
import { readVersionFiles } from "./read-blob";
import type { SkillInstructions } from "./schema";

/** Reading a playbook again within this time writes nothing. */
const QUIET_MS = 60 * 60 * 1000;

/**
 * What an agent that uses this skill is given: the approved playbook and the paths of its other files that it may read: text up
 * to 256 KiB, and scripts only when the reviewer granted them. `capabilities`: what the agent's own host says that it can do.
 * `byPerson`: a person started it; without that, an agent is refused what only people start.
 */
export async function getInstructions(
  ctx: Ctx,
  idOrName: string,
  { capabilities = null, byPerson = false }: { capabilities?: readonly string[] | null; byPerson?: boolean } = {},
): Promise<SkillInstructions> {
  const skill = await requireSkill(ctx, idOrName);
  if (!skill.listed) throw new AppError("not_approved", unlistedMessage(skill), { rule: "unlisted" });
  if (!skill.current) throw new AppError("not_approved", `“${skill.name}” has no approved version to use.`);
  const { version } = await requireVersion(ctx, skill.id, skill.current.digest);
  const problem = await checkServable(ctx, { skill, version });
  await assertOffered(ctx, skill, capabilities);
  await assertStepsAllowed(ctx, skill);
  if (problem !== null) {
    throw new AppError("not_approved", `What is stored for “${skill.name}” is not what was approved: ${problem}.`);
  }
  const own = whyNotServedToCaller({ skill, version }, isPerson(ctx.actor) ? ctx.actor.userId : null);
  if (own !== null) throw new AppError("not_approved", `“${skill.name}” cannot be used: ${own}.`, { rule: "own-use" });
  // From the approved bytes, each checked against its hash, and not from what was once read of them.
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

/** What a model is answered that loads or reads what only people start. */
export function onlyPeopleStart({ name }: { name: string }): AppError {
  const message = `Only people start “${name}”; its author keeps it from being loaded by a model.`;
  return new AppError("forbidden", message, { rule: "model-invocation" });
}

/** Reading the instructions by a token is use. What a person reads in a browser is not. */
async function recordUse(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (ctx.actor.kind !== "token") return;
  const isFresh = skill.lastUsedAt !== null && ctx.now().getTime() - skill.lastUsedAt.getTime() < QUIET_MS;
  if (isFresh && skill.lifecycle === "active") return;
  await inTransaction(ctx, (tx, txCtx) => markUsed(tx, txCtx, skill));
}
