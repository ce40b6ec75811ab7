import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { SkillRow } from "../skill-access";
import { judgeStoredSkill } from "./judge-stored-skill";

/**
 * Refuses a skill that is offered to no agent when an agent asks for it: off, hidden by an admin, or with requirements that
 * are not met. `forbidden`, naming the stage. People may, since they see what is missing and decide for themselves.
 * `capabilities`: what the agent's own host says that it can do; see `hostsOf`.
 */
export async function assertOffered(
  ctx: Ctx,
  skill: SkillRow,
  capabilities: readonly string[] | null = null,
): Promise<void> {
  if (!isAgent(ctx.actor)) return;
  const { stages } = await judgeStoredSkill(ctx, skill, capabilities);
  const failed = stages.find(({ passed }) => !passed);
  if (failed === undefined) return;
  const message = `“${skill.name}” is not offered to agents. ${failed.reason}`;
  throw new AppError("forbidden", message, { rule: `ineligible-${failed.stage}` });
}
