"use client";

import { useEffect, useState } from "react";
import { useDebounced } from "@/components/state/use-debounced";
import { SearchInput } from "@/components/ui/search-input";

type DebouncedSearchProps = {
  label: string;
  /** What is searched for: usually what the address says. */
  value: string;
  onChange: (value: string) => void;
  className?: string;
};

/** Typing is shown at once; `onChange` hears of it, without spaces around it, when it rests. Escape and Enter leave the field. */
export function DebouncedSearch({ label, value, onChange, className }: DebouncedSearchProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // It changed without us: by "Clear filters", or the back button.
  if (value !== known) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }
  const settled = useDebounced(text.trim());
  useEffect(() => {
    if (settled !== known && settled === text.trim()) onChange(settled);
  }, [settled, known, text, onChange]);
  return (
    <SearchInput
      label={label}
      {...(className ? { className } : {})}
      maxLength={200}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        // On to the list, where j and k are keys again.
        if (key === "Escape" || key === "Enter") currentTarget.blur();
      }}
    />
  );
}
