import { cn } from "@/components/ui/cn";
import type { Skill } from "@/lib/skills/schema";
import { emojiOf } from "./emoji-of";
import { displayName } from "./skill-words";

type SkillIconProps = { skill: Pick<Skill, "name" | "label" | "meta">; size?: "sm" | "lg" };

/** The emoji its author gave it, else its first letter. */
export function SkillIcon({ skill, size = "lg" }: SkillIconProps) {
  const emoji = emojiOf(skill.meta);
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
