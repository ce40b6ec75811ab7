"use client";

import { RevealedText } from "@/components/code/revealed-text";
import { cn } from "@/components/ui/cn";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CatalogSourceStatus } from "@/lib/catalog/schema";

/** How fresh the catalog is, source by source; what could not be synced comes first. What does not fit on the line is in the list. */
export function SourceFreshness({ sources }: { sources: readonly CatalogSourceStatus[] }) {
  if (sources.length === 0) return null;
  const sorted = [...sources].sort((a, b) => Number(b.error !== null) - Number(a.error !== null));
  return (
    <div className="flex min-w-0 items-center gap-4 text-13 text-muted-foreground max-md:w-full">
      <div className="flex h-6 min-w-0 flex-wrap items-center gap-x-4 overflow-hidden md:justify-end">
        {sorted.slice(0, 4).map((source) => (
          <Source key={source.id} source={source} />
        ))}
      </div>
      {sources.length > 1 || sources[0]?.error ? (
        <Popover>
          <PopoverTrigger className="h-6 shrink-0 rounded-sm underline decoration-border underline-offset-4 hover:text-foreground hover:decoration-current">
            {sources.length === 1 ? "What happened" : `All ${sources.length} sources`}
          </PopoverTrigger>
          <PopoverContent aria-label="Sources" align="end" className="max-h-96 w-96 overflow-y-auto">
            <ul className="flex flex-col gap-3">
              {sorted.map((source) => (
                <li key={source.id}>
                  <Source source={source} />
                  {source.error ? <p className="mt-0.5 pl-3.5 text-muted-foreground">{source.error}</p> : null}
                </li>
              ))}
            </ul>
          </PopoverContent>
        </Popover>
      ) : null}
    </div>
  );
}

function Source({ source: { label, syncedAt, error } }: { source: CatalogSourceStatus }) {
  const isFailing = error !== null;
  return (
    <span className="inline-flex h-6 min-w-0 max-w-full items-center gap-1.5">
      <span
        aria-hidden
        className={cn(
          "size-2 shrink-0 rounded-full",
          isFailing ? "bg-danger-mark" : syncedAt ? "bg-success-mark" : "bg-muted-foreground/50",
        )}
      />
      <span className="min-w-0 truncate text-foreground">
        <RevealedText text={label} />
      </span>
      <span className="shrink-0">
        {isFailing ? <span className="font-medium text-danger">Sync failed</span> : null}
        {isFailing && syncedAt ? " · shown as of " : null}
        {syncedAt ? (
          <>
            {isFailing ? "" : "· synced "}
            <RelativeTime value={syncedAt} />
          </>
        ) : isFailing ? null : (
          "· not synced yet"
        )}
      </span>
    </span>
  );
}
