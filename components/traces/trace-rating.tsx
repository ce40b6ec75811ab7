"use client";
import { useQuery } from "@tanstack/react-query";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useAction } from "@/components/forms/use-action";
import { IconButton } from "@/components/ui/icon-button";
import { useToast } from "@/components/ui/toast";
import type { Rating, Trace } from "@/lib/agent/traces/schema";
import { rateTrace, traceQuery, tracesKey } from "@/lib/client/traces";

/** Thumbs up or down for one use; pressing the same one again removes the rating. */
export function TraceRating({ trace }: { trace: Pick<Trace, "id" | "rating" | "mayRate"> }) {
  const { toast } = useToast();
  const rate = useAction((rating: Rating) => rateTrace(trace.id, rating), {
    refresh: [tracesKey],
    failed: "The rating was not saved.",
  });
  const press = (pressed: 1 | -1) => {
    const before = trace.rating;
    rate.mutate(before === pressed ? 0 : pressed, {
      onSuccess: ({ rating }) =>
        toast({ title: rating === 0 ? "Rating removed" : "Rating saved", undo: () => rate.mutate(before) }),
    });
  };
  const thumb = (value: 1 | -1, label: string, Icon: typeof ThumbsUp) => (
    <IconButton
      label={label}
      size="sm"
      aria-pressed={trace.rating === value}
      disabled={!trace.mayRate || rate.isPending}
      onClick={() => press(value)}
      className={trace.rating === value ? "text-primary" : "text-muted-foreground"}
    >
      <Icon aria-hidden fill={trace.rating === value ? "currentColor" : "none"} fillOpacity={0.25} />
    </IconButton>
  );
  return (
    <span className="relative z-10 inline-flex">
      {thumb(1, "Useful", ThumbsUp)}
      {thumb(-1, "Not useful", ThumbsDown)}
    </span>
  );
}

/** Thumbs next to the result of a finished run; renders nothing when the run has no trace any more. */
export function RunRating({ runId }: { runId: string }) {
  const { data } = useQuery(traceQuery(runId));
  return data ? <TraceRating trace={data} /> : null;
}
