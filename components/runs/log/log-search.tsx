"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { IconButton } from "@/components/ui/icon-button";
import { SearchInput } from "@/components/ui/search-input";
import type { LogSearch } from "./use-log-search";

/** Search in the whole log: Enter goes to the next hit, Shift and Enter to the one before, Escape ends it. */
export function LogSearchBar({ search }: { search: LogSearch }) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut("/", "Search the log", () => input.current?.select(), { group: "Log" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && search.query !== "") search.setQuery("");
    else if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const isOff = search.count === 0;
  return (
    <div className="flex min-w-0 items-center gap-1 max-md:w-full">
      <SearchInput
        ref={input}
        label="Search the log"
        value={search.query}
        onChange={({ target }) => search.setQuery(target.value)}
        onKeyDown={onKeyDown}
        placeholder="Search"
        className="md:w-44"
      />
      {search.query === "" ? null : (
        <>
          <span role="status" className="min-w-16 whitespace-nowrap px-1 text-muted-foreground text-xs tabular-nums">
            {countText(search)}
          </span>
          <IconButton label="Previous hit" size="sm" disabled={isOff} onClick={() => search.go(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next hit" size="sm" disabled={isOff} onClick={() => search.go(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}

function countText({ count, current }: LogSearch): string {
  if (count === 0) return "No hits";
  return `${(current + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
}
