import { useSyncExternalStore } from "react";
import { cn } from "@/components/ui/cn";
import type { JsonObject } from "@/lib/skill-format/schema";
import type { Skill } from "@/lib/skills/schema";
import { displayName } from "./skill-labels";

let known: boolean | undefined;

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

/** Whether this machine draws emoji in colour; on some Linux desktops and servers no font has them, and boxes appear. */
function useEmojiFont(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => {
      known ??= drawsInColour("\u{1f600}");
      return known;
    },
    () => true,
  );
}

function drawsInColour(emoji: string): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return true;
  context.textBaseline = "top";
  context.font = "14px sans-serif";
  context.fillText(emoji, 0, 0);
  const { data } = context.getImageData(0, 0, 16, 16);
  // Boxes of missing letters are drawn in black, so that each of their pixels has equal parts.
  return data.some((value, index) => index % 4 === 0 && (value !== data[index + 1] || value !== data[index + 2]));
}
