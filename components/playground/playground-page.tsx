"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { BrainCircuit, History, SquarePen } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { PaneNav } from "@/components/ui/pane-nav";
import type { ConversationDetail, Turn } from "@/lib/agent/playground/schema";
import { modelChoicesQuery } from "@/lib/client/models";
import { beginConversation, conversationQuery, conversationsQuery } from "@/lib/client/playground";
import { ChatPane } from "./chat-pane";
import { readChoice, writeChoice } from "./choice";
import { readTurn } from "./read-turn";
import { TraceNodes } from "./trace-nodes";
import { type LiveTurn, useAnswer } from "./use-answer";

const HistoryDrawer = deferredUntil(
  async () => (await import("./history-drawer")).HistoryDrawer,
  ({ open }) => open,
);

const tabs = [
  { key: "chat", label: "Chat" },
  { key: "trace", label: "Trace" },
] as const;

/** A conversation with a model that uses chosen skills, and its trace. The address holds all choices. */
export function PlaygroundPage() {
  const [params, setParams] = useUrlParams();
  const queries = useQueryClient();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const endpoints = useQuery(modelChoicesQuery);
  const conversationId = params.get("conversation");
  const query = useQuery({ ...conversationQuery(conversationId ?? ""), enabled: conversationId !== null });
  const conversation = conversationId === null ? null : (query.data ?? null);
  const choice = readChoice(params);
  const tab = params.get("tab") === "trace" ? "trace" : "chat";
  const answer = useAnswer({
    conversationId,
    turnCount: conversation?.turns.length ?? 0,
    begin: async () => {
      const { endpointId, model, personaId, skills, limits } = choice;
      const ofModel = { ...(endpointId ? { endpointId } : {}), ...(model ? { model } : {}) };
      const ofPersona = personaId ? { personaId } : {};
      const begun = await beginConversation({ ...ofModel, ...ofPersona, skills, limits });
      queries.setQueryData(conversationQuery(begun.id).queryKey, { ...begun, turns: [] });
      return begun;
    },
    onBegun: (id) => setParams({ ...noChoice, conversation: id }, { push: true }),
  });

  const startNewConversation = () => {
    const { endpoint, model, persona, skills, limits } = conversation ?? {};
    const kept = conversation && {
      ...{ endpointId: endpoint?.id ?? null, model: model ?? null, skills: skills ?? [] },
      personaId: persona && persona.name !== null && persona.name !== "playground" ? persona.id : null,
      limits: limits ?? choice.limits,
    };
    setParams({ ...writeChoice(kept ?? choice), conversation: null, tab: null }, { push: true });
  };
  const shown = (key: "chat" | "trace") =>
    cn("min-h-0 min-w-0 flex-col lg:flex", tab === key ? "flex flex-1" : "hidden");

  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-[calc(100dvh-var(--topbar-height))] lg:flex-none lg:in-data-banner:h-[calc(100dvh-var(--topbar-height)-2.25rem)]">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2.5 max-lg:border-b-0">
        <h1 className="text-base">Playground</h1>
        {conversation ? (
          <p className="min-w-0 flex-1 basis-40 truncate text-13 text-muted-foreground" title={conversation.title}>
            {conversation.title}
          </p>
        ) : null}
        <div className="ml-auto flex gap-2">
          <Button onClick={() => setHistoryOpen(true)}>
            <History aria-hidden />
            History
          </Button>
          {conversationId === null ? null : (
            <Button onClick={startNewConversation}>
              <SquarePen aria-hidden />
              New conversation
            </Button>
          )}
        </div>
      </header>
      <PaneNav
        label="Parts of the playground"
        panes={tabs}
        current={tab}
        onChoose={(key) => setParams({ tab: key === "chat" ? null : key })}
        className="sticky top-(--topbar-height) z-10 bg-background px-4 lg:hidden"
      />
      <QueryState query={endpoints} errorTitle="The models could not be loaded.">
        {({ items }) =>
          items.length === 0 && conversationId === null ? (
            <NoEndpoint onOpen={(id) => setParams({ ...noChoice, conversation: id, tab: null }, { push: true })} />
          ) : (
            <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)]">
              <section aria-label="Chat" className={shown("chat")}>
                <ChatPane
                  conversationId={conversationId}
                  query={query}
                  endpoints={items}
                  choice={choice}
                  onChoice={(next) => setParams(writeChoice(next))}
                  answer={answer}
                />
              </section>
              <section aria-label="Trace" className={cn(shown("trace"), "lg:border-l")}>
                <TracePane conversation={conversation} live={answer.live} />
              </section>
            </div>
          )
        }
      </QueryState>
      <HistoryDrawer
        open={isHistoryOpen}
        onOpenChange={setHistoryOpen}
        currentId={conversationId}
        onChoose={(id) => {
          setHistoryOpen(false);
          setParams({ ...noChoice, conversation: id, tab: null }, { push: true });
        }}
        onGone={() => setParams({ conversation: null })}
      />
    </div>
  );
}

/** A conversation keeps its choices, so the address drops them. */
const noChoice = { endpoint: null, model: null, persona: null, skill: null, steps: null, tokens: null, seconds: null };

function NoEndpoint({ onOpen }: { onOpen: (conversationId: string) => void }) {
  const isAdmin = useMe()?.user.role === "admin";
  const newest = useInfiniteQuery(conversationsQuery).data?.pages[0]?.items[0];
  return (
    <EmptyState
      icon={BrainCircuit}
      title="No model endpoint is set"
      description={
        <>
          In the playground you watch an agent use your skills. It needs a language model: no data is sent until{" "}
          {isAdmin ? "you add one" : "an admin adds one under Settings, Models"}.
        </>
      }
      action={
        <>
          {isAdmin ? (
            <Button asChild variant="primary">
              <Link href="/settings/models">Add a model endpoint</Link>
            </Button>
          ) : null}
          {newest ? <Button onClick={() => onOpen(newest.id)}>Open the last conversation</Button> : null}
        </>
      }
    />
  );
}

function TracePane({ conversation, live }: { conversation: ConversationDetail | null; live: LiveTurn | null }) {
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
            Open session
          </Link>
        ) : null}
      </header>
      {turns.length === 0 ? (
        <p className="text-13 text-muted-foreground">
          Shows live what the agent receives, loads and runs, and what is refused.
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
    return <p className="text-13 text-muted-foreground">{isLive ? "Starting…" : "No trace recorded"}</p>;
  }
  return <TraceNodes nodes={trace} />;
}
