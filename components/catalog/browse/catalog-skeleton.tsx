import { Skeleton } from "@/components/ui/skeleton";
import { cardHeight } from "./entry-card";

/** The list before it is there, in the shape of what comes. */
export function CatalogSkeleton({ layout }: { layout: "cards" | "list" }) {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Loading the catalog</span>
      {layout === "list" ? <Rows /> : <Cards />}
    </div>
  );
}

function Cards() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
      {Array.from({ length: 12 }, (_, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards without identity
        <div key={card} style={{ height: cardHeight }} className="flex flex-col gap-3 rounded-md border p-3.5">
          <Skeleton className="w-1/2" />
          <Skeleton />
          <Skeleton className="w-4/5" />
          <Skeleton className="mt-auto w-2/3" />
        </div>
      ))}
    </div>
  );
}

const widths = ["w-1/5", "w-1/4", "w-1/6"];

function Rows() {
  return Array.from({ length: 12 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity
    <div key={row} className="flex h-12 items-center gap-4 border-b px-3">
      <div className="flex flex-1 flex-col gap-1.5">
        <Skeleton className={`h-3.5 ${widths[row % widths.length] ?? ""}`} />
        <Skeleton className="h-3 w-2/3" />
      </div>
      <Skeleton className="w-14" />
    </div>
  ));
}
