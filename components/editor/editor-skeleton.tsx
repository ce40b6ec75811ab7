import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export function EditorSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-1 flex-col">
      <div className="flex flex-col gap-2 border-b px-4 py-3">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="w-32" />
      </div>
      <div className="xl:grid xl:grid-cols-[15rem_minmax(0,1fr)_minmax(0,26rem)]">
        <div className="max-xl:hidden">
          <SkeletonRows rows={4} />
        </div>
        <SkeletonRows rows={12} />
      </div>
    </div>
  );
}
