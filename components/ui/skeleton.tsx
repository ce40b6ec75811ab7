import { cn } from "./cn";

/** A still grey shape where content will be; size it with classes. Its container carries `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 rounded-sm bg-accent", className)} />;
}
