import { parseOwnerKey } from "../ownership";
import type { EligibilityEntry, EligibilityPolicy } from "./schema";

export type SkillAddress = {
  name: string;
  folder: string;
  /** As agents see it: `skills/<slug>/SKILL.md`, for a persona's own skill `agents/<persona id>/skills/…`. */
  location: string;
  /** Id of the import source, else owner key and slug. Tells skills with the same location apart. */
  source: string;
};

export type FoundEntry = { by: "name" | "folder" | "location"; key: string; entry: EligibilityEntry };

type Addressed = { name: string; slug: string; ownerKey: string; sourceId: string | null };

/** `folder`: the path the files were imported from; `marker`: the main file of the skill. */
export function addressOf(
  { name, slug, ownerKey, sourceId }: Addressed,
  { folder, marker = "SKILL.md" }: { folder: unknown; marker?: string },
): SkillAddress {
  const owner = parseOwnerKey(ownerKey);
  const above = owner.kind === "persona" ? `agents/${owner.id}/` : "";
  return {
    name,
    folder: (typeof folder === "string" ? folder.split("/").at(-1) : "") || slug,
    location: `${above}skills/${slug}/${marker}`,
    source: sourceId ?? `${ownerKey}/${slug}`,
  };
}

/** The first entry that matches a skill: by name, then by folder, then by location (source first). */
export function findEntry({ entries }: EligibilityPolicy, skill: SkillAddress): FoundEntry | null {
  for (const by of ["name", "folder", "location"] as const) {
    const keys = by === "location" ? locationsOf(skill) : [skill[by]];
    for (const key of keys) {
      const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
      if (entry !== undefined) return { by, key, entry };
    }
  }
  return null;
}

/** An override may name any of the main files in the folder, even one that this skill does not have. */
function locationsOf({ source, location }: SkillAddress): string[] {
  const folder = location.slice(0, location.lastIndexOf("/") + 1);
  return [source, location, ...["SKILL.md", "skill.json", "skill.toml"].map((marker) => folder + marker)];
}
