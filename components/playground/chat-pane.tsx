"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useRef } from "react";
import { useFollowEnd } from "@/components/runs/use-follow-end";
import { FormError } from "@/components/state/form-error";
import { QueryState } from "@/components/state/query-state";
import type { ModelChoices } from "@/lib/client/models";
import type { ConversationDetail } from "@/lib/client/playground";
import { AnswerRating } from "./answer-rating";
import type { Choice } from "./choice";
import { ChoiceForm } from "./choice-form";
import { Composer } from "./composer";
import { ConversationFacts } from "./conversation-facts";
import { TurnView } from "./turn-view";
import type { useAnswer } from "./use-answer";

type ChatPaneProps = {
  conversationId: string | null;
  query: UseQueryResult<ConversationDetail, Error>;
  endpoints: ModelChoices["items"];
  choice: Choice;
  onChoice: (choice: Choice) => void;
  answer: ReturnType<typeof useAnswer>;
};

export function ChatPane({ conversationId, query, endpoints, choice, onChoice, answer }: ChatPaneProps) {
  const { live, problem, send, stop } = answer;
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const saidBefore = query.data?.turns.length ?? 0;
  // Given to another window, or begun before this page was opened.
  const isGoingOn = query.data?.turns.at(-1)?.state === "running";
  const last = live?.events.at(-1);
  const { handlers, setFollowing } = useFollowEnd(scroller, {
    // Grows with every event and with the text of the last one.
    length: saidBefore + (live ? 1 + live.events.length * 100_000 + (last?.type === "text" ? last.text.length : 0) : 0),
    toEnd: () => end.current?.scrollIntoView({ block: "nearest" }),
    atFirst: true,
  });
  // Where the page itself scrolls, only the finger tells that the reader goes elsewhere.
  const onTouchMove = () => {
    handlers.onTouchMove();
    const box = scroller.current;
    if (box && box.scrollHeight <= box.clientHeight) setFollowing(false);
  };
  const say = (text: string) => {
    setFollowing(true);
    return send(text);
  };
  return (
    <>
      <div
        ref={scroller}
        className="relative flex min-h-0 flex-1 flex-col gap-6 px-4 py-4 lg:overflow-y-auto"
        {...handlers}
        onTouchMove={onTouchMove}
      >
        {conversationId === null ? (
          <div className="mx-auto w-full max-w-3xl">
            {live ? null : <ChoiceForm endpoints={endpoints} choice={choice} onChange={onChoice} />}
          </div>
        ) : (
          <QueryState query={query} errorTitle="The conversation could not be loaded.">
            {(conversation) => (
              <div className="mx-auto flex w-full max-w-3xl flex-col gap-6">
                <ConversationFacts conversation={conversation} />
                {conversation.turns.slice(0, live?.after).map((turn) => (
                  <TurnView
                    key={turn.id}
                    turn={turn}
                    limits={conversation.limits}
                    rating={<AnswerRating sessionId={conversation.sessionId} turn={turn} />}
                  />
                ))}
              </div>
            )}
          </QueryState>
        )}
        {live ? (
          <div className="mx-auto w-full max-w-3xl">
            <TurnView turn={{ ...live, state: "running" }} limits={query.data?.limits ?? choice.limits} />
          </div>
        ) : null}
        <div ref={end} className="scroll-mb-40 lg:scroll-mb-0" />
      </div>
      <div className="sticky bottom-(--bottombar-height) border-t bg-background px-4 py-3">
        <div className="mx-auto flex max-w-3xl flex-col gap-2">
          <FormError error={problem} />
          <Composer isAnswering={live !== null || isGoingOn} onSend={say} onStop={stop} />
        </div>
      </div>
    </>
  );
}
