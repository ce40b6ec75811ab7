import { describePublished, displayNameOf, type Published } from "../published";
import type { SkillsApiSkill, SkillsApiVersion } from "./schema";

const MAX_DISPLAY_NAME_CHARS = 255;

/** A skill with its active version. */
export function presentSkill({ skill, version }: Published): SkillsApiSkill {
  const name = displayNameOf(skill).slice(0, MAX_DISPLAY_NAME_CHARS);
  return {
    id: skill.id,
    type: "skill",
    display_name: name,
    display_title: name,
    latest_version_id: version.digest,
    latest_version: String(version.number),
    source: { type: "custom" },
    created_at: skill.createdAt.toISOString(),
    updated_at: (version.decidedAt ?? version.createdAt).toISOString(),
  };
}

export function presentVersion(published: Published): SkillsApiVersion {
  const { skill, version, name } = published;
  return {
    id: version.digest,
    type: "skill_version",
    skill_id: skill.id,
    name,
    directory: name,
    description: describePublished(published),
    version: String(version.number),
    created_at: version.createdAt.toISOString(),
  };
}
