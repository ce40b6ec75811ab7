"use client";

import { useQuery } from "@tanstack/react-query";
import { traceQuery } from "@/lib/client/traces";
import { TraceRating } from "./trace-rating";

/** Thumbs beside the result of a run that is over. Nothing for a run that is too old to be a trace. */
export function RunRating({ runId }: { runId: string }) {
  const { data } = useQuery(traceQuery(runId));
  return data ? <TraceRating trace={data} /> : null;
}
