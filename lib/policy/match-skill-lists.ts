import { matchGlob } from "./match-glob";

/** Which skills a persona may use, as globs over skill names. An empty allow list allows every skill that is not denied. */
export type SkillLists = { allow: string[]; deny: string[] };

/** A list matches a skill when one of these names matches. */
export type SkillNames = { name: string; slug: string; toolName: string };

/** Deny wins over allow. An unreadable glob denies and never allows. */
export function whyListsExclude(
  { allow, deny }: SkillLists,
  skill: SkillNames,
): { rule: "persona-deny" | "persona-allow"; reason: string } | null {
  const names = [skill.name, skill.slug, skill.toolName];
  const denied = deny.find((glob) => matches(glob, names, true));
  if (denied !== undefined) return { rule: "persona-deny", reason: `its deny list names “${denied}”` };
  if (allow.length === 0 || allow.some((glob) => matches(glob, names, false))) return null;
  return { rule: "persona-allow", reason: "its allow list does not name it" };
}

function matches(glob: string, names: string[], whenUnreadable: boolean): boolean {
  return names.some((name) => matchGlob(glob, name) ?? whenUnreadable);
}
