import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Conversation, PlaygroundEvent } from "@/lib/agent/playground/schema";
import { ApiError } from "@/lib/client/api";
import { conversationQuery, conversationsKey, sendMessage, stopAnswer } from "@/lib/client/playground";
import { addEvents } from "./read-turn";

/** The turn that is being answered; `after` is the number of earlier turns. */
export type LiveTurn = { conversationId: string | null; after: number; prompt: string; events: PlaygroundEvent[] };

type UseAnswer = {
  live: LiveTurn | null;
  /** Why the last message failed, until the next one is sent. */
  problem: ApiError | null;
  /** Resolves to whether the server accepted the message. */
  send(text: string): Promise<boolean>;
  stop(): void;
};

type Options = {
  conversationId: string | null;
  turnCount: number;
  /** Creates the conversation with its first message. */
  begin(): Promise<Conversation>;
  onBegun(id: string): void;
};

/** The running request. A stop before the server accepts the message is sent once it has accepted it. */
type PendingAnswer = { abort: AbortController; id: string | null; isAccepted: boolean; isStopRequested: boolean };

/** Sends messages to the agent. An answer continues on the server when the person leaves the page. */
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
      // The server ends the stream after the text so far.
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
    // Nothing was sent yet: cancel the request.
    if (id === null) return current?.abort.abort();
    if (current && !current.isAccepted) current.isStopRequested = true;
    else requestStop(id);
  }, [conversationId, requestStop]);

  // A new conversation is not in the address at first.
  const isHere = conversationId === null || live?.conversationId === conversationId;
  const shownProblem = problem?.id === conversationId ? problem.error : null;
  return { live: isHere ? live : null, problem: shownProblem, send, stop };
}

function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const detail = "The server sent an unknown answer. Reload the page; it may be older than the server.";
  return new ApiError({ status: 0, code: "unexpected_answer", detail, cause });
}
