import { cn } from "./cn";

type AvatarProps = { name: string; size?: "sm" | "md"; className?: string };

const sizes = { sm: "size-5 text-[10px]", md: "size-7 text-xs" } as const;

/** Initials of a person; decorative, so show the name as text too. */
export function Avatar({ name, size = "md", className }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={cn(
        "inline-flex shrink-0 select-none items-center justify-center rounded-full bg-primary-soft font-semibold text-primary",
        sizes[size],
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return picked.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("") || "?";
}
