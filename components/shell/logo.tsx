import { cn } from "@/components/ui/cn";

/** A gate that stands ajar. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={cn("size-6 shrink-0", className)}>
      <rect width="32" height="32" rx="7" className="fill-primary" />
      <path
        d="M8 7v18M24 7v18M8 12h10M8 20h10"
        className="fill-none stroke-primary-foreground"
        strokeWidth={2.75}
        strokeLinecap="round"
      />
    </svg>
  );
}
