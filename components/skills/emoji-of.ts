import type { JsonObject } from "@/lib/skill-format/schema";

const maxChars = 32;

/** An emoji among what a skill says about itself, on any level: several dialects keep it in a block of their own. */
export function emojiOf(meta: JsonObject, depth = 0): string | null {
  const own = [meta.emoji, meta.icon].find(isEmoji);
  if (own !== undefined || depth === 3) return own ?? null;
  for (const value of Object.values(meta)) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    const nested = emojiOf(value as JsonObject, depth + 1);
    if (nested !== null) return nested;
  }
  return null;
}

function isEmoji(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= maxChars &&
    /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(value) &&
    graphemesOf(value) === 1
  );
}

function graphemesOf(text: string): number {
  return [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].length;
}
