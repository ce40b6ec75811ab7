"use client";

import { useEffect, useState } from "react";
import { useDebounced } from "@/components/state/use-debounced";
import { SearchInput } from "@/components/ui/search-input";

type DebouncedSearchProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
};

/** Calls `onChange` with the trimmed text after a typing pause. Escape and Enter leave the field. */
export function DebouncedSearch({ label, value, onChange, className }: DebouncedSearchProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // What was passed on and has not come back as the value: by then the person may have typed more.
  const [sent, setSent] = useState<string[]>([]);
  if (value !== known) {
    setKnown(value);
    const index = sent.indexOf(value);
    setSent(index < 0 ? [] : sent.slice(index + 1));
    // Changed from outside, by "Clear filters" or the back button.
    if (index < 0 && value !== text.trim()) setText(value);
  }
  const settled = useDebounced(text.trim());
  useEffect(() => {
    if (settled !== text.trim() || settled === (sent.at(-1) ?? known)) return;
    setSent([...sent, settled]);
    onChange(settled);
  }, [settled, known, sent, text, onChange]);
  return (
    <SearchInput
      label={label}
      {...(className ? { className } : {})}
      maxLength={200}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        // Leaves the field, so that j and k act on the list again.
        if (key === "Escape" || key === "Enter") currentTarget.blur();
      }}
    />
  );
}
