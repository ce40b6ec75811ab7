"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { newestRunsQuery, type Run } from "@/lib/client/runs";

/**
 * Answers what a press does: it compares a run with the one before, also when that is not known yet, and asks for `choose`
 * when there is none or none can be had. Whoever has gone to another run or page meanwhile is not called back.
 */
export function useComparePrevious(
  run: Pick<Run, "id" | "queuedAt" | "skill">,
  onCompare: (id: string) => void,
  { enabled }: { enabled: boolean },
): () => Promise<void> {
  const queries = useQueryClient();
  const newest = newestRunsQuery({ skill: run.skill.id }, 30);
  useQuery({ ...newest, enabled });
  const shown = useRef<string | null>(null);
  useEffect(() => {
    shown.current = run.id;
    return () => {
      shown.current = null;
    };
  }, [run.id]);
  return async () => {
    const page = await queries.fetchQuery(newest).catch(() => queries.getQueryData(newest.queryKey));
    if (shown.current !== run.id) return;
    const previous = page?.items.find((other) => other.queuedAt < run.queuedAt && other.id !== run.id);
    onCompare(previous?.id ?? "choose");
  };
}
