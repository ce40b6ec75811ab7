import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { formatExactTime } from "@/components/ui/format-time";
import type { AuditEvent } from "@/lib/client/audit";
import { AuditIcon } from "./audit-icon";

type AuditRowProps = {
  event: AuditEvent;
  index: number;
  isActive: boolean;
  /** Whether the list was opened at it. */
  isMarked: boolean;
  onOpen: () => void;
};

/** One sentence: who did what, and when. */
export function AuditRow({ event, index, isActive, isMarked, onOpen }: AuditRowProps) {
  return (
    <div data-row-index={index}>
      <button
        type="button"
        aria-current={isMarked ? "true" : undefined}
        onClick={onOpen}
        className={cn(
          "flex w-full items-start gap-3 rounded-md px-2 py-1.5 text-left text-13 hover:bg-accent focus-visible:-outline-offset-2",
          isMarked && "bg-selected",
          isActive && "bg-accent shadow-[inset_2px_0_0_var(--primary)]",
        )}
      >
        <AuditIcon event={event} />
        <span className="min-w-0 flex-1 break-words pt-0.5">
          <span className="font-semibold">{event.actor.name}</span> {event.summary}
          {event.count > 1 ? (
            <Badge className="ml-2 tabular-nums" title={`${event.count} times, counted as one event`}>
              ×{event.count}
            </Badge>
          ) : null}
        </span>
        {event.outcome === "ok" ? null : (
          <Badge tone="danger" className="mt-0.5">
            {event.outcome === "refused" ? "Refused" : "Failed"}
          </Badge>
        )}
        <time
          dateTime={event.at}
          title={formatExactTime(Date.parse(event.at))}
          className="w-12 shrink-0 pt-0.5 text-right text-muted-foreground tabular-nums"
        >
          {formatClock(event.at)}
        </time>
      </button>
    </div>
  );
}

function formatClock(iso: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date(iso));
}
