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
type Going = { abort: AbortController; id: string | null; isTaken: boolean; isToStop: boolean };

/** Talks to the agent of a conversation. The answer goes on when the page or the conversation is left, and is found there. */
export function useAnswer({ conversationId, turnCount, begin, onBegun }: Options): UseAnswer {
  const queries = useQueryClient();
  const [live, setLive] = useState<LiveTurn | null>(null);
  const [problem, setProblem] = useState<{ id: string | null; error: ApiError } | null>(null);
  const going = useRef<Going | null>(null);

  useEffect(() => {
    const { current } = going;
    if (current && current.id !== conversationId) current.abort.abort();
  }, [conversationId]);
  useEffect(() => () => going.current?.abort.abort(), []);

  const tellToStop = useCallback(
    (id: string) => {
      // The server ends the stream itself, with what was said until then.
      stopAnswer(id)
        .catch((error: unknown) => setProblem({ id, error: asApiError(error) }))
        .finally(() => void queries.invalidateQueries({ queryKey: conversationQuery(id).queryKey }));
    },
    [queries],
  );

  const send = async (text: string): Promise<boolean> => {
    const mine: Going = { abort: new AbortController(), id: conversationId, isTaken: false, isToStop: false };
    const { signal } = mine.abort;
    going.current = mine;
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
        if (mine.isToStop && !mine.isTaken) tellToStop(id);
        mine.isTaken = true;
        setLive((before) => before && { ...before, events: addEvents(before.events, more) });
      };
      await sendMessage(id, text, { signal, onEvents });
    } catch (error) {
      if (!signal.aborted) setProblem({ id: mine.id, error: asApiError(error) });
    } finally {
      if (mine.id !== null) await queries.invalidateQueries({ queryKey: conversationQuery(mine.id).queryKey });
      void queries.invalidateQueries({ queryKey: conversationsKey });
      if (going.current === mine) {
        going.current = null;
        setLive(null);
      }
    }
    return mine.isTaken;
  };

  const stop = useCallback(() => {
    const { current } = going;
    const id = current ? current.id : conversationId;
    // Nothing has been said yet: it is not sent any more.
    if (id === null) return current?.abort.abort();
    if (current && !current.isTaken) current.isToStop = true;
    else tellToStop(id);
  }, [conversationId, tellToStop]);

  // Until the address names the conversation that has just begun, there is none in it.
  const isHere = conversationId === null || live?.conversationId === conversationId;
  const told = problem?.id === conversationId ? problem.error : null;
  return { live: isHere ? live : null, problem: told, send, stop };
}

function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const detail =
    "The server said something that this page does not know. Reload the page; it may be older than the server.";
  return new ApiError({ status: 0, code: "unexpected_answer", detail, cause });
}
