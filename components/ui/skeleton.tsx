import { cn } from "./cn";

/** A static placeholder, sized with classes; set `aria-busy` on its container. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("h-4 rounded-sm bg-accent", className)} />;
}

type SkeletonRowsProps = { rows?: number; label?: string };

const widths = ["w-2/5", "w-1/3", "w-1/2", "w-1/4"];

export function SkeletonRows({ rows = 8, label = "Loading" }: SkeletonRowsProps) {
  return (
    <div role="status" aria-busy="true" className="divide-y">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity
        <div key={row} className="flex h-8 items-center gap-4 px-4">
          <Skeleton className="size-4 shrink-0" />
          <Skeleton className={widths[row % widths.length] ?? ""} />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}
