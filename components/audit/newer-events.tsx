"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { Button } from "@/components/ui/button";
import { type AuditFilters, newerEventsQuery } from "@/lib/client/audit";

type NewerEventsProps = {
  filters: AuditFilters;
  cursor: string | null;
  pending: boolean;
  isOlderPart: boolean;
  onLoad: () => void;
};

/** Says how many events are newer than the list, which stays as it is until somebody wants them. */
export function NewerEvents({ filters, cursor, pending, isOlderPart, onLoad }: NewerEventsProps) {
  const { data: count = 0 } = useQuery(newerEventsQuery(filters, cursor));
  return (
    <div
      aria-live="polite"
      className="pointer-events-none sticky top-[calc(var(--topbar-height)+0.5rem)] z-20 h-0 text-center"
    >
      {count > 0 ? (
        <Button
          size="sm"
          variant="primary"
          pending={pending}
          onClick={onLoad}
          className="pointer-events-auto shadow-float"
        >
          <ArrowUp aria-hidden />
          {count >= 100 ? "100 or more" : count} {isOlderPart ? "newer" : "new"} {count === 1 ? "event" : "events"}
        </Button>
      ) : null}
    </div>
  );
}
