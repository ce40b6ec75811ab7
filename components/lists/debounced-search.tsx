"use client";

import { useEffect, useState } from "react";
import { useDebounced } from "@/components/state/use-debounced";
import { SearchInput } from "@/components/ui/search-input";

type AddressSearchProps = {
  label: string;
  /** What the address says, and how to change it: always the same function. */
  view: { q: string; set: (change: { q: string }) => void };
  className?: string;
};

/** Typing is shown at once; the list and the address follow when it rests. */
export function AddressSearch({ label, view: { q, set }, className }: AddressSearchProps) {
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  const settled = useDebounced(text);
  // The address changed without us: by "Clear filters", or the back button.
  if (q !== seen) {
    setSeen(q);
    if (q !== settled.trim()) setText(q);
  }
  useEffect(() => set({ q: settled.trim() }), [settled, set]);
  return (
    <SearchInput
      label={label}
      {...(className ? { className } : {})}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
}
