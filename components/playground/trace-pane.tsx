"use client";

import Link from "next/link";
import { useMemo } from "react";
import type { ConversationDetail, Turn } from "@/lib/client/playground";
import { readTurn } from "./read-turn";
import { TraceNodes } from "./trace-nodes";
import type { LiveTurn } from "./use-answer";

type TracePaneProps = { conversation: ConversationDetail | null; live: LiveTurn | null };

/** What happens behind the chat, as it happens: one part for each thing that was said. */
export function TracePane({ conversation, live }: TracePaneProps) {
  const turns: (Pick<Turn, "prompt" | "events"> & { id: string })[] = [
    ...(conversation?.turns.slice(0, live?.after) ?? []),
    ...(live ? [{ ...live, id: "live" }] : []),
  ];
  return (
    <div className="relative flex min-h-0 flex-1 flex-col gap-5 px-4 py-4 lg:overflow-y-auto">
      <header className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-13">Trace</h2>
        {conversation ? (
          <Link
            href={`/agents/${encodeURIComponent(conversation.sessionId)}`}
            className="text-13 text-primary hover:underline"
          >
            Its session
          </Link>
        ) : null}
      </header>
      {turns.length === 0 ? (
        <p className="text-13 text-muted-foreground">
          What the agent is served, loads and runs, and what is refused to it, appears here as it happens.
        </p>
      ) : (
        turns.map(({ id, prompt, events }, index) => (
          <section key={id} aria-label={`Trace of turn ${index + 1}`}>
            <h3 className="mb-1.5 truncate text-muted-foreground text-xs" title={prompt}>
              {index + 1}. {prompt}
            </h3>
            <TurnTrace events={events} isLive={id === "live"} />
          </section>
        ))
      )}
    </div>
  );
}

function TurnTrace({ events, isLive }: { events: Turn["events"]; isLive: boolean }) {
  const { trace } = useMemo(() => readTurn(events), [events]);
  if (trace.length === 0) {
    return <p className="text-13 text-muted-foreground">{isLive ? "It begins…" : "Nothing was recorded."}</p>;
  }
  return <TraceNodes nodes={trace} />;
}
