import { createParser } from "eventsource-parser";
import type { z } from "zod";
import type {
  Conversation,
  ConversationDetail,
  CreateConversationInput,
  PlaygroundEvent,
  PlaygroundLimits,
} from "@/lib/agent/playground/schema";
import type { Page } from "@/lib/core/schema";
import { ApiError, answerOf, api, apiResponse, listOf, sendDelete, sendPost } from "./api";
import { answerQuery, pagesQuery } from "./queries";

export type { PlaygroundLimits };

const key = ["playground"] as const;
export const conversationsKey = [...key, "list"] as const;
type ConversationPage = Page<Conversation>;
const POLL_MS = 2_000;

export const conversationsQuery = pagesQuery(
  conversationsKey,
  "/api/playground/conversations",
  { limit: 30 },
  listOf<ConversationPage>(),
  { staleTime: 5_000 },
);

/** One conversation; polled during an answer, which another window may have started. */
export const conversationQuery = (id: string) =>
  answerQuery([...key, "one", id], pathOf(id), answerOf<ConversationDetail>(), {
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.turns.at(-1)?.state === "running" ? POLL_MS : false),
  });

export const beginConversation = (input: z.input<typeof CreateConversationInput>) =>
  sendPost("/api/playground/conversations", answerOf<Conversation>(), input);

export const deleteConversation = (id: string) => sendDelete(pathOf(id));

export const stopAnswer = (id: string) => api<void>(`${pathOf(id)}/stop`, { method: "POST" });

/**
 * Sends a message and passes on all events until the answer ends. Throws an `ApiError` for a refusal and for a broken
 * stream. Aborting `signal` does not stop the answer.
 */
export async function sendMessage(
  id: string,
  text: string,
  { signal, onEvents }: { signal: AbortSignal; onEvents(events: PlaygroundEvent[]): void },
): Promise<void> {
  const headers = { accept: "text/event-stream" };
  const response = await apiResponse(`${pathOf(id)}/messages`, { method: "POST", body: { text }, headers, signal });
  let hasEnded = false;
  try {
    for await (const data of response.body ? readServerEvents(response.body) : []) {
      const events = data.map(readEvent);
      hasEnded ||= events.some(({ type, fork }) => type === "end" && fork === null);
      onEvents(events);
    }
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw brokenOff(response, cause);
  }
  if (!hasEnded) throw brokenOff(response, null);
}

/** Throws for an event that this page does not know: the page is older than the server. */
function readEvent(data: string): PlaygroundEvent {
  const event: unknown = JSON.parse(data);
  if (typeof event !== "object" || event === null || !("type" in event) || !isKnown(event.type))
    throw new Error("an unknown event of the answer");
  return event as PlaygroundEvent; // The server builds each type of event from the same schema.
}

function isKnown(type: unknown): boolean {
  return typeof type === "string" && Object.hasOwn(EVENT_TYPES, type);
}

const EVENT_TYPES: Record<PlaygroundEvent["type"], true> = {
  preamble: true,
  text: true,
  call: true,
  result: true,
  limit: true,
  fork: true,
  joined: true,
  usage: true,
  end: true,
};

function brokenOff(response: Response, cause: unknown): ApiError {
  const detail = "The connection was lost during the answer. The answer continues, and this page shows it up to here.";
  const requestId = response.headers.get("x-request-id");
  return new ApiError({ status: 0, code: "unreachable", detail, requestId, cause });
}

function pathOf(id: string): string {
  return `/api/playground/conversations/${encodeURIComponent(id)}`;
}

/** Reads the `data` of Server-Sent Events (HTML standard, section 9.2); skips an incomplete last event. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void (data === "" || found.push(data)) });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (found.length > 0) yield found.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {}); // The stream may already have failed.
  }
}
