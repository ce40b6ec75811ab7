"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { SearchInput } from "@/components/ui/search-input";
import { jsonHitsAtMost } from "./search-json";
import type { JsonSearch } from "./use-json-search";

/** Search in a tree of JSON: Enter goes to the next hit, Shift and Enter to the one before. */
export function JsonSearchBar({ search, label }: { search: JsonSearch; label: string }) {
  const { query, setQuery, hits, current, go } = search;
  const count = hits.length;
  const most = count >= jsonHitsAtMost ? "+" : "";
  return (
    <div className="flex min-w-0 items-center gap-1">
      <SearchInput
        isPageSearch={false}
        label={`Search the ${label.toLowerCase()}`}
        placeholder="Search"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && query !== "") setQuery("");
          else if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
        }}
        className="w-36 md:w-44"
      />
      {query === "" ? null : (
        <>
          <span role="status" className="whitespace-nowrap px-1 text-muted-foreground text-xs tabular-nums">
            {count === 0 ? "No hits" : `${(current + 1).toLocaleString("en")} of ${count.toLocaleString("en")}${most}`}
          </span>
          <IconButton label="Previous hit" size="sm" disabled={count === 0} onClick={() => go(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next hit" size="sm" disabled={count === 0} onClick={() => go(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}
