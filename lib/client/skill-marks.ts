import type { DeprecateInput } from "@/lib/skills/community/schema";
import { StarState } from "@/lib/skills/community/schema";
import { Skill } from "@/lib/skills/schema";
import { Version } from "@/lib/skills/versions/schema";
import { api } from "./api";
import { skillPath } from "./skills";
import { versionPath } from "./versions";

export function starSkill(skillId: string, starred: boolean): Promise<StarState> {
  return api(`${skillPath(skillId)}/star`, { method: starred ? "PUT" : "DELETE", schema: StarState });
}

export function deprecateSkill(skillId: string, input: DeprecateInput): Promise<Skill> {
  return api(`${skillPath(skillId)}/deprecate`, { method: "POST", body: input, schema: Skill });
}

export function undeprecateSkill(skillId: string): Promise<Skill> {
  return api(`${skillPath(skillId)}/deprecate`, { method: "DELETE", schema: Skill });
}

/** Says what is new in a version that is not decided on yet. */
export function setChangelog(skillId: string, digest: string, changelog: string): Promise<Version> {
  return api(`${versionPath(skillId, digest)}/changelog`, { method: "PUT", body: { changelog }, schema: Version });
}
