import type { SkillManifest } from "@/lib/skill-format/schema";

/** Above what an installation takes, so that names which do not count are refused there and never left out unsaid. */
const MAX_NAMES = 1_000;

/**
 * Names of the skills that a skill needs: `depends` (OpenJarvis), and `requires.skills` at any place below `metadata`. Owners and versions, as in
 * `@acme/pdf@1.2`, are left out: a name means a skill of the same source, or one that is here.
 */
export function dependencyNames(manifest: Pick<SkillManifest, "depends" | "meta">): string[] {
  const found = [...manifest.depends, ...requiredBelow(manifest.meta.metadata, 0)];
  const names = found.map((text) => plainName(text)).filter((name) => name !== "");
  return [...new Set(names)].slice(0, MAX_NAMES);
}

function plainName(text: string): string {
  return (/^(?:@[^/\s]+\/)?([^@\s<>=^~]+)/.exec(text.trim())?.[1] ?? "").slice(0, 200);
}

function requiredBelow(value: unknown, depth: number): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 2) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "requires" ? skillsOf(inner) : requiredBelow(inner, depth + 1),
  );
}

function skillsOf(requires: unknown): string[] {
  const { skills } = (typeof requires === "object" && requires !== null ? requires : {}) as { skills?: unknown };
  const list = typeof skills === "string" ? skills.split(",") : Array.isArray(skills) ? skills : [];
  return list.filter((item): item is string => typeof item === "string");
}
