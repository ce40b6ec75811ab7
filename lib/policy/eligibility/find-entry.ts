import { parseOwnerKey } from "../ownership";
import type { EligibilityEntry, EligibilityPolicy } from "./schema";

/** What an entry can name a skill by. */
export type SkillAddress = {
  name: string;
  folder: string;
  /** As agents are told: `skills/<slug>/SKILL.md`, and of a persona's own skill `agents/<persona id>/skills/…`. */
  location: string;
  /** Where its files came from, else owner and name: of two skills with one location, one alone has it. */
  source: string;
};

export type FoundEntry = { by: "name" | "folder" | "location"; key: string; entry: EligibilityEntry };

type Addressed = { name: string; slug: string; ownerKey: string; sourceId: string | null };

/** The addresses of a skill. `folder`: the path its files came from; `marker`: the file that makes its folder a skill. */
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

/** The admin’s entry for a skill: the first that is found by name, then folder, then location (its source first). */
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

/** A location names the folder, whichever of its files makes it a skill. */
function locationsOf({ source, location }: SkillAddress): string[] {
  const folder = location.slice(0, location.lastIndexOf("/") + 1);
  return [source, location, ...["SKILL.md", "skill.json", "skill.toml"].map((marker) => folder + marker)];
}
