import { MAX_NAME_CHARS } from "@/lib/skill-format/archive/limits";
import type { SkillManifest } from "@/lib/skill-format/schema";

/** Lower-case `[a-z0-9]` runs joined by `-`, at most 64 characters; empty when the name has none. */
export function slugOf(name: string): string {
  if (name.length <= MAX_NAME_CHARS && SLUG.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_NAME_CHARS)
    .replace(/-$/, "");
}

/** The slug of a name in another script, from its code points (`u6570-u636e`). Empty without letters and digits. */
export function spelledSlugOf(name: string): string {
  const points = [...name.normalize("NFKC").toLowerCase()]
    .filter((char) => /[\p{L}\p{N}]/u.test(char))
    .map((char) => `u${(char.codePointAt(0) ?? 0).toString(16)}`);
  return slugOf(points.join("-").slice(0, MAX_NAME_CHARS));
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The function name for models: the slug in lower_snake, beginning with a letter, at most 64 characters. */
export function toolNameOf(slug: string): string {
  const snake = slug.replaceAll("-", "_");
  const name = /^[a-z]/.test(snake) ? snake : `skill_${snake}`;
  return name.length <= MAX_NAME_CHARS && !name.endsWith("_") ? name : name.slice(0, MAX_NAME_CHARS).replace(/_$/, "");
}

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
