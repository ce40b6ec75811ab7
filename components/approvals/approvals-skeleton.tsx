import { Skeleton } from "@/components/ui/skeleton";

export function ApprovalsSkeleton() {
  return (
    <div
      role="status"
      aria-busy="true"
      className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(16rem,22rem)_minmax(0,1fr)]"
    >
      <span className="sr-only">Loading what waits</span>
      <div className="flex flex-col gap-px">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
      <div className="flex max-w-3xl flex-col gap-5 max-lg:hidden">
        <Skeleton className="h-12 w-72" />
        <Skeleton className="h-24" />
        <Skeleton className="h-48" />
      </div>
    </div>
  );
}
