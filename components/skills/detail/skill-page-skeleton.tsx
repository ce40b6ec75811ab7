import { Skeleton } from "@/components/ui/skeleton";

export function SkillPageSkeleton() {
  return (
    <div role="status" aria-busy="true" className="mx-auto w-full max-w-[1248px] px-4 pt-5 md:px-6">
      <span className="sr-only">Loading the skill</span>
      <div className="flex items-start gap-3">
        <Skeleton className="size-10 rounded-md" />
        <div className="flex flex-1 flex-col gap-2 pt-1">
          <Skeleton className="h-6 w-56" />
          <Skeleton className="w-80 max-w-full" />
        </div>
      </div>
      <div className="mt-5 h-9 border-b" />
      <OverviewSkeleton />
    </div>
  );
}

export function OverviewSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 pt-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-3">
        {["w-1/3", "w-full", "w-11/12", "w-4/5", "w-1/4", "w-full", "w-3/4"].map((width, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines without identity
          <Skeleton key={line} className={width} />
        ))}
      </div>
      <div className="flex flex-col gap-3">
        {["w-1/2", "w-full", "w-3/4", "w-5/6"].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </div>
    </div>
  );
}
