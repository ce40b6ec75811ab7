import { useDeferredValue, useMemo, useState } from "react";
import { searchJson } from "./search-json";

export type JsonSearch = {
  query: string;
  setQuery: (query: string) => void;
  hits: readonly string[];
  /** The hit one stands on. */
  current: number;
  go: (steps: 1 | -1) => void;
};

/** Search state over a JSON value. */
export function useJsonSearch(value: unknown): JsonSearch {
  const [query, setText] = useState("");
  const [step, setStep] = useState(0);
  const wanted = useDeferredValue(query);
  const hits = useMemo(() => searchJson(value, wanted), [value, wanted]);
  const current = Math.min(step, Math.max(0, hits.length - 1));
  return {
    query,
    setQuery: (next) => {
      setText(next);
      setStep(0);
    },
    hits,
    current,
    go: (steps) => hits.length > 0 && setStep((current + steps + hits.length) % hits.length),
  };
}
