import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { SkillManifest } from "@/lib/skill-format/schema";
import type { SkillInstructions } from "./schema";
import { requireSkill } from "./skill-access";
import { requireVersion } from "./version-access";

/** What an agent that uses this skill is given: the approved playbook and the paths of its other files. */
export async function getInstructions(ctx: Ctx, idOrName: string): Promise<SkillInstructions> {
  const skill = await requireSkill(ctx, idOrName);
  if (!skill.current) throw new AppError("not_approved", `“${skill.name}” has no approved version to use.`);
  const { version } = await requireVersion(ctx, skill.id, skill.current.digest);
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  return {
    name: manifest.name,
    description: manifest.description,
    whenToUse: manifest.whenToUse,
    instructions: manifest.body,
    allowedTools: manifest.allowedTools,
    contextFork: manifest.contextFork,
    resources: version.files.map((file) => file.path).filter((path) => path.toLowerCase() !== "skill.md"),
    digest: version.digest,
  };
}
