import { cn } from "./cn";

/** A static placeholder, sized with classes; set `aria-busy` on its container. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 rounded-sm bg-accent", className)} />;
}
