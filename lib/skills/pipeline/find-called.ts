import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { findTool } from "@/lib/skill-format/dialects/tools";
import type { PipelineStep } from "@/lib/skill-format/schema";
import { findNamedSkill, type SkillRow } from "../skill-access";

type Find<T> = (name: string) => Promise<T | null>;

/**
 * The skill that a step calls. A tool is the skill with that tool name (built-ins are such skills), else the one that the
 * table of aliases names. Null when the name means nothing.
 */
export async function findCalled<T>(
  find: Find<T>,
  { toolName, skillName }: Pick<PipelineStep, "toolName" | "skillName">,
): Promise<T | null> {
  const found = await find(skillName ?? toolName ?? "");
  if (found !== null || toolName === null) return found;
  const alias = findTool(toolName)?.id;
  return alias === undefined || alias === toolName ? null : find(alias);
}

/** The skill that a name means to the caller; null when there is none that they can see. */
export async function findVisible(ctx: Ctx, name: string): Promise<SkillRow | null> {
  try {
    return await findNamedSkill(ctx, name);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}
