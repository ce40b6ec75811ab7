"use client";

import { useCallback, useState } from "react";
import type { ApprovalItem } from "@/lib/client/approvals";
import type { DecisionOutcome } from "./use-run-decision";

type Kept = { item: ApprovalItem; outcome: DecisionOutcome };

/** What this person decided since the page was opened. It stays in its place, so that nothing jumps under the hand. */
export function useOutcomes(waiting: readonly ApprovalItem[]) {
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map());
  const note = useCallback(
    (item: ApprovalItem, outcome: DecisionOutcome) =>
      setKept((before) => new Map(before).set(item.id, { item, outcome })),
    [],
  );
  const known = new Set(waiting.map(({ id }) => id));
  const gone = [...kept.values()].map(({ item }) => item).filter(({ id }) => !known.has(id));
  return {
    // Ids are in the order of asking.
    items: [...waiting, ...gone].sort((a, b) => (a.id < b.id ? -1 : 1)),
    outcomes: new Map([...kept].map(([id, { outcome }]) => [id, outcome])),
    note,
  };
}
