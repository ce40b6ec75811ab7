import { MAX_NAME_CHARS } from "@/lib/skill-format/archive/limits";

/** Lower-case `[a-z0-9]` runs joined by `-`, at most 64 characters; empty when the name has no such character. */
export function slugOf(name: string): string {
  if (name.length <= MAX_NAME_CHARS && SLUG.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_NAME_CHARS)
    .replace(/-$/, "");
}

/**
 * The slug of a name that has letters or digits but none of `a-z0-9`: their code points (`u6570-u636e`), because a name in
 * another script is a valid one. Empty when the name has no letter and no digit at all.
 */
export function spelledSlugOf(name: string): string {
  const points = [...name.normalize("NFKC").toLowerCase()]
    .filter((char) => /[\p{L}\p{N}]/u.test(char))
    .map((char) => `u${(char.codePointAt(0) ?? 0).toString(16)}`);
  return slugOf(points.join("-").slice(0, MAX_NAME_CHARS));
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The function name that models see: the slug in lower_snake, beginning with a letter, at most 64 characters. */
export function toolNameOf(slug: string): string {
  const snake = slug.replaceAll("-", "_");
  const name = /^[a-z]/.test(snake) ? snake : `skill_${snake}`;
  return name.length <= MAX_NAME_CHARS && !name.endsWith("_") ? name : name.slice(0, MAX_NAME_CHARS).replace(/_$/, "");
}
