import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Conversation, PlaygroundEvent } from "@/lib/agent/playground/schema";
import { ApiError } from "@/lib/client/api";
import { conversationQuery, conversationsKey, sendMessage, stopAnswer } from "@/lib/client/playground";
import { addEvents } from "./read-turn";

/** What is being said and answered now, after so many earlier turns. */
export type LiveTurn = { conversationId: string | null; after: number; prompt: string; events: PlaygroundEvent[] };

type UseAnswer = {
  live: LiveTurn | null;
  /** Why the last thing that was said found no answer, until something else is said. */
  problem: ApiError | null;
  /** Answers whether it was taken; what was not stays with the person. */
  send(text: string): Promise<boolean>;
  stop(): void;
};

type Options = {
  conversationId: string | null;
  /** How much was said before. */
  turnCount: number;
  /** Makes the conversation when the first thing is said. */
  begin(): Promise<Conversation>;
  onBegun(id: string): void;
};

/** What is being sent or answered. A stop that is asked for before the server has taken it is said as soon as it has. */
type PendingAnswer = { abort: AbortController; id: string | null; isAccepted: boolean; isStopRequested: boolean };

/** Talks to the agent of a conversation. The answer goes on when the page or the conversation is left, and is found there. */
export function useAnswer({ conversationId, turnCount, begin, onBegun }: Options): UseAnswer {
  const queries = useQueryClient();
  const [live, setLive] = useState<LiveTurn | null>(null);
  const [problem, setProblem] = useState<{ id: string | null; error: ApiError } | null>(null);
  const pending = useRef<PendingAnswer | null>(null);

  useEffect(() => {
    const { current } = pending;
    if (current && current.id !== conversationId) current.abort.abort();
  }, [conversationId]);
  useEffect(() => () => pending.current?.abort.abort(), []);

  const requestStop = useCallback(
    (id: string) => {
      // The server ends the stream itself, with what was said until then.
      stopAnswer(id)
        .catch((error: unknown) => setProblem({ id, error: asApiError(error) }))
        .finally(() => void queries.invalidateQueries({ queryKey: conversationQuery(id).queryKey }));
    },
    [queries],
  );

  const send = async (text: string): Promise<boolean> => {
    const mine: PendingAnswer = {
      abort: new AbortController(),
      id: conversationId,
      isAccepted: false,
      isStopRequested: false,
    };
    const { signal } = mine.abort;
    pending.current = mine;
    setProblem(null);
    setLive({ conversationId, after: turnCount, prompt: text, events: [] });
    try {
      const id = conversationId ?? (await begin()).id;
      if (signal.aborted) return false;
      if (mine.id === null) {
        mine.id = id;
        setLive((before) => before && { ...before, conversationId: id });
        onBegun(id);
      }
      const onEvents = (more: PlaygroundEvent[]) => {
        if (mine.isStopRequested && !mine.isAccepted) requestStop(id);
        mine.isAccepted = true;
        setLive((before) => before && { ...before, events: addEvents(before.events, more) });
      };
      await sendMessage(id, text, { signal, onEvents });
    } catch (error) {
      if (!signal.aborted) setProblem({ id: mine.id, error: asApiError(error) });
    } finally {
      if (mine.id !== null) await queries.invalidateQueries({ queryKey: conversationQuery(mine.id).queryKey });
      void queries.invalidateQueries({ queryKey: conversationsKey });
      if (pending.current === mine) {
        pending.current = null;
        setLive(null);
      }
    }
    return mine.isAccepted;
  };

  const stop = useCallback(() => {
    const { current } = pending;
    const id = current ? current.id : conversationId;
    // Nothing has been said yet: it is not sent any more.
    if (id === null) return current?.abort.abort();
    if (current && !current.isAccepted) current.isStopRequested = true;
    else requestStop(id);
  }, [conversationId, requestStop]);

  // Until the address names the conversation that has just begun, there is none in it.
  const isHere = conversationId === null || live?.conversationId === conversationId;
  const shownProblem = problem?.id === conversationId ? problem.error : null;
  return { live: isHere ? live : null, problem: shownProblem, send, stop };
}

function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const detail =
    "The server said something that this page does not know. Reload the page; it may be older than the server.";
  return new ApiError({ status: 0, code: "unexpected_answer", detail, cause });
}
