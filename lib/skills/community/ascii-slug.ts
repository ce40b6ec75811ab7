/** Converts a text to lowercase letters, digits and single hyphens, at most `max` characters; possibly empty. */
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
