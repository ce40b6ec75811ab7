import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";
import { digestFiles, sha256Hex } from "./digest-files";
import type { SkillFile } from "./skill-file";

/** A skill of a repository or archive: where it lies there (empty at the root), its files and what they say. */
export type PlacedSkill = {
  location: string;
  files: SkillFile[];
  manifest: Pick<SkillManifest, "name" | "slug" | "toolName">;
};

/**
 * Skills of one source that would be in each other's way: those that have one name after normalisation (`a-b` and `a_b` are
 * one tool to a model), and byte-identical copies, of which one is enough. One diagnostic for each group.
 */
export function findCollisions(skills: readonly PlacedSkill[]): Diagnostic[] {
  const byName = groupBy(skills, ({ manifest }) => manifest.toolName || manifest.slug);
  return byName.flatMap((group) => {
    const copies = groupBy(group, ({ files }) => digestOf(files));
    const identical = copies.filter((same) => same.length > 1).map(describeCopies);
    return copies.length > 1 ? [...identical, describeNames(group)] : identical;
  });
}

function groupBy(skills: readonly PlacedSkill[], keyOf: (skill: PlacedSkill) => string): PlacedSkill[][] {
  const groups = new Map<string, PlacedSkill[]>();
  for (const skill of skills) {
    const key = keyOf(skill);
    groups.set(key, [...(groups.get(key) ?? []), skill]);
  }
  return [...groups.values()];
}

function digestOf(files: SkillFile[]): string {
  return digestFiles(files.map(({ path, mode, bytes }) => ({ path, mode, sha256: sha256Hex(bytes) })));
}

function describeCopies(group: PlacedSkill[]): Diagnostic {
  const message = `“${group[0]?.manifest.name}” is there ${group.length} times with the same bytes: ${listPlaces(group)}.`;
  return { code: "identical_copies", severity: "info", message };
}

function describeNames(group: PlacedSkill[]): Diagnostic {
  const names = [...new Set(group.map(({ manifest }) => `“${manifest.name}”`))].join(" and ");
  const message = `Different skills have the name ${names}: ${listPlaces(group)}.`;
  return { code: "names_collide", severity: "warning", message };
}

function listPlaces(group: PlacedSkill[]): string {
  const places = group.slice(0, 5).map(({ location }) => location || "the root");
  return `${places.join(", ")}${group.length > places.length ? ` and ${group.length - places.length} more` : ""}`;
}
