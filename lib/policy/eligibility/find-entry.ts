import type { EligibilityEntry, EligibilityPolicy } from "./schema";

/** What an entry can name a skill by. */
export type SkillAddress = { name: string; folder: string; location: string };

export type FoundEntry = { by: "name" | "folder" | "location"; key: string; entry: EligibilityEntry };

/** The admin’s entry for a skill: the first that is found by name, then folder, then location. */
export function findEntry({ entries }: EligibilityPolicy, skill: SkillAddress): FoundEntry | null {
  for (const by of ["name", "folder", "location"] as const) {
    const key = skill[by];
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (entry !== undefined) return { by, key, entry };
  }
  return null;
}
