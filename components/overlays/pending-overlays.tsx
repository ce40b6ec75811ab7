"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { overlaysQuery } from "@/lib/client/overlays";

/** Overlays pending review; renders nothing without any. */
export function PendingOverlays() {
  const { data } = useInfiniteQuery(overlaysQuery("pending"));
  const waiting = data?.pages.flatMap((page) => page.items).filter(({ you }) => you.mayDecide) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Section title="Overlays" description="New descriptions and examples, proposed from traces.">
      <ul className="flex flex-col divide-y rounded-md border">
        {waiting.map((overlay) => (
          <li key={overlay.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-13">
            <Link
              href={`/skills/${overlay.skill.id}?tab=improve#overlay-${overlay.id}`}
              className="rounded-sm font-medium underline-offset-2 hover:underline"
            >
              {overlay.skill.name}
            </Link>
            <span className="text-muted-foreground">
              by {overlay.optimizer} from {overlay.traceCount} traces, proposed by {overlay.createdBy}{" "}
              <RelativeTime value={overlay.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
