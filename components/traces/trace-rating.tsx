"use client";
import { useQuery } from "@tanstack/react-query";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useAction } from "@/components/forms/use-action";
import { IconButton } from "@/components/ui/icon-button";
import { useToast } from "@/components/ui/toast";
import type { Rating, Trace } from "@/lib/agent/traces/schema";
import { rateTrace, traceQuery, tracesKey } from "@/lib/client/traces";

type TraceRatingProps = { trace: Pick<Trace, "id" | "rating" | "mayRate"> };

/** Thumbs up or down for one use; pressing the same again takes it back. */
export function TraceRating({ trace }: TraceRatingProps) {
  const { toast } = useToast();
  const rate = useAction((rating: Rating) => rateTrace(trace.id, rating), {
    refresh: [tracesKey],
    failed: "The rating was not kept.",
  });
  const press = (pressed: 1 | -1) => {
    const before = trace.rating;
    rate.mutate(before === pressed ? 0 : pressed, {
      onSuccess: ({ rating }) =>
        toast({ title: rating === 0 ? "The rating is taken back." : "Thank you.", undo: () => rate.mutate(before) }),
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
      {thumb(1, "Of use", ThumbsUp)}
      {thumb(-1, "Of no use", ThumbsDown)}
    </span>
  );
}

/** Thumbs beside the result of a run that is over. Nothing for a run that is too old to be a trace. */
export function RunRating({ runId }: { runId: string }) {
  const { data } = useQuery(traceQuery(runId));
  return data ? <TraceRating trace={data} /> : null;
}
