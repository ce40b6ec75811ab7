import { Skeleton } from "@/components/ui/skeleton";

const widths = ["w-2/5", "w-1/3", "w-1/2", "w-1/4"];

/** Placeholder rows while the skills are loaded. */
export function SkillsSkeleton({ layout }: { layout: "table" | "cards" }) {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Loading skills</span>
      {layout === "table" ? <TableSkeleton /> : <CardsSkeleton />}
    </div>
  );
}

function TableSkeleton() {
  return (
    <>
      <div className="h-8 border-b" />
      {Array.from({ length: 10 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity
        <div key={row} className="flex h-8 items-center gap-4 border-b px-4 max-md:h-10">
          <Skeleton className="size-4 shrink-0" />
          <Skeleton className="h-[18px] w-8 shrink-0 rounded-full" />
          <Skeleton className={widths[row % widths.length] ?? ""} />
          <Skeleton className="ml-auto w-16" />
          <Skeleton className="w-20 max-lg:hidden" />
          <Skeleton className="w-28 max-md:hidden" />
        </div>
      ))}
    </>
  );
}

function CardsSkeleton() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-3">
      {Array.from({ length: 6 }, (_, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards without identity
        <div key={card} className="flex h-40 flex-col gap-3 rounded-md border p-4">
          <Skeleton className="w-1/2" />
          <Skeleton />
          <Skeleton className="w-4/5" />
        </div>
      ))}
    </div>
  );
}
