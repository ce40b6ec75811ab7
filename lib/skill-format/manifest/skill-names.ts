import { MAX_NAME_CHARS } from "@/lib/skill-format/archive/limits";

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
