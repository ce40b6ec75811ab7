import { useEmojiFont } from "@/components/state/use-emoji-font";
import { cn } from "@/components/ui/cn";
import type { JsonObject } from "@/lib/skill-format/schema";
import type { Skill } from "@/lib/skills/schema";
import { displayName } from "./skill-labels";

const maxChars = 32;

type SkillIconProps = { skill: Pick<Skill, "name" | "label" | "meta">; size?: "sm" | "lg" };

/** The skill's emoji where it can be drawn, else its first letter. */
export function SkillIcon({ skill, size = "lg" }: SkillIconProps) {
  const canDraw = useEmojiFont();
  const emoji = canDraw ? emojiOf(skill.meta) : null;
  return (
    <span
      aria-hidden
      className={cn(
        "inline-flex shrink-0 select-none items-center justify-center rounded-md border bg-muted font-semibold text-muted-foreground",
        size === "sm" ? "size-7 text-13" : "size-10 text-base",
        emoji && (size === "sm" ? "text-base" : "text-20"),
      )}
    >
      {emoji ?? [...displayName(skill)][0]?.toUpperCase() ?? "?"}
    </span>
  );
}

/** The emoji in a skill's metadata; some dialects nest it, so up to three levels are searched. */
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
