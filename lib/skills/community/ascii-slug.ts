/** Lowercase letters, digits and single hyphens made of a text, at most `max` characters; empty when nothing is left. */
export function asciiSlug(text: string, max: number): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, max)
    .replace(/-$/, "");
}
