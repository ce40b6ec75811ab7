import { MAX_NAME_CHARS } from "./limits";

/** Lower-case `[a-z0-9]` runs joined by `-`, at most 64 characters; empty when the name has no such character. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_NAME_CHARS)
    .replace(/-$/, "");
}

/** The function name that models see: the slug in lower_snake, beginning with a letter, at most 64 characters. */
export function toolNameOf(slug: string): string {
  const snake = slug.replaceAll("-", "_");
  return (/^[a-z]/.test(snake) ? snake : `skill_${snake}`).slice(0, MAX_NAME_CHARS).replace(/_$/, "");
}
