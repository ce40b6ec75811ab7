"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { TraceRating } from "@/components/traces/trace-rating";
import type { Turn } from "@/lib/client/playground";
import { tracePagesQuery } from "@/lib/client/traces";

type AnswerRatingProps = { sessionId: string; turn: Pick<Turn, "at" | "finishedAt"> };

/** Thumbs for each playbook that an answer was given with. */
export function AnswerRating({ sessionId, turn: { at, finishedAt } }: AnswerRatingProps) {
  const filters = {
    session: sessionId,
    kind: "instructional",
    outcome: "ok",
    from: at,
    ...(finishedAt ? { to: finishedAt } : {}),
  };
  const { data } = useInfiniteQuery({
    ...tracePagesQuery(filters),
    enabled: finishedAt !== null,
    refetchInterval: false,
  });
  const traces = data?.pages.flatMap(({ items }) => items) ?? [];
  if (traces.length === 0) return null;
  return (
    <ul aria-label="Was it of use?" className="ml-auto flex flex-wrap justify-end gap-x-3">
      {traces.map((trace) => (
        <li key={trace.id} className="inline-flex items-center gap-1">
          {trace.skill?.name ?? "A skill you do not see"}
          <TraceRating trace={trace} />
        </li>
      ))}
    </ul>
  );
}
