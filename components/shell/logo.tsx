import { cn } from "@/components/ui/cn";

export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={cn("size-6 shrink-0", className)}>
      <rect width="32" height="32" rx="7" className="fill-primary" />
      <path
        d="M8.5 25V14.5a7.5 7.5 0 0 1 15 0V25M12.5 19l2.5 2.5 4.5-5"
        className="fill-none stroke-primary-foreground"
        strokeWidth={2.75}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
