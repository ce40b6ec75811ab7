import { AsyncLocalStorage } from "node:async_hooks";
import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { processStore } from "@/lib/core/process-store";

const MAX_EVENTS = 500;
const MAX_BYTES = 2 * 1024 * 1024;

/** Time in which a client may continue a broken stream before its call counts as abandoned. */
const RESUME_MS = 5_000;

type StoredEvent = { streamId: string; number: number; message: JSONRPCMessage; bytes: number };

/**
 * The connection on which the stream of a request is sent. A client continues a broken stream on another one, with the id of the
 * last event that it got (2025-11-25, basic/transports, Resumability).
 */
export type Connection = {
  /** Calls `listener` when the client was gone for five seconds. Returns the function that removes it. */
  onLost(listener: () => void): () => void;
  move(signal: AbortSignal): void;
};

export function createConnection(first: AbortSignal): Connection {
  let [signal, timer]: [AbortSignal, NodeJS.Timeout | undefined] = [first, undefined];
  const listeners = new Set<() => void>();
  const onAbort = () => {
    if (listeners.size === 0) return;
    timer = setTimeout(() => {
      for (const listener of listeners) listener();
    }, RESUME_MS).unref();
  };
  const release = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  return {
    onLost: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) release();
      };
    },
    move: (next) => {
      release();
      signal = next;
      if (listeners.size > 0) signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
    },
  };
}

/** Without `getStreamIdForEventId`, with which the SDK refuses a client that returns before its old connection is noticed as lost. */
export type SessionEvents = Omit<EventStore, "getStreamIdForEventId"> & {
  /** Whether a stream can be continued after this event. */
  knows(eventId: string): boolean;
  /** Runs the transport for a request, whose stream belongs to `connection` from then on. */
  within<T>(request: { connection: Connection; signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
};

type Asking = { connection: Connection; signal: AbortSignal };

/** The newest 500 events of a session, at most 2 MiB unless one alone is larger, for clients that continue a broken stream. */
export function createSessionEvents(): SessionEvents {
  // Per process, since another bundle’s copy of this file may have opened the session.
  const asking = processStore("mcp-connections", () => new AsyncLocalStorage<Asking>());
  const connections = new Map<string, Connection>();
  const forgotten = new Map<string, number>();
  let [events, bytes, count]: [StoredEvent[], number, number] = [[], 0, 0];

  const forgetOldest = () => {
    const [oldest] = events;
    if (oldest === undefined) return;
    events = events.slice(1);
    bytes -= oldest.bytes;
    forgotten.set(oldest.streamId, oldest.number);
    if (events.some(({ streamId }) => streamId === oldest.streamId)) return;
    forgotten.delete(oldest.streamId);
    connections.delete(oldest.streamId);
  };
  const find = (eventId: string) => {
    const [, streamId = "", digits = ""] = /^(.+)\.(\d+)$/.exec(eventId) ?? [];
    const isKnown = events.some((event) => event.streamId === streamId);
    return isKnown && Number(digits) >= (forgotten.get(streamId) ?? 0) ? { streamId, number: Number(digits) } : null;
  };
  return {
    within: (request, work) => asking.run(request, work),
    storeEvent: async (streamId, message) => {
      const by = asking.getStore();
      if (by !== undefined && !connections.has(streamId)) connections.set(streamId, by.connection);
      count += 1;
      const size = JSON.stringify(message).length;
      events.push({ streamId, number: count, message, bytes: size });
      bytes += size;
      while (events.length > MAX_EVENTS || (bytes > MAX_BYTES && events.length > 1)) forgetOldest();
      return `${streamId}.${count}`;
    },
    knows: (eventId) => find(eventId) !== null,
    replayEventsAfter: async (lastEventId, { send }) => {
      const last = find(lastEventId);
      if (last === null) throw new Error("the event is not stored");
      const by = asking.getStore();
      if (by !== undefined) connections.get(last.streamId)?.move(by.signal);
      const missed = events.filter(({ streamId, number }) => streamId === last.streamId && number > last.number);
      for (const { number, message } of missed) {
        // The first event of a stream has no message.
        if ("jsonrpc" in message) await send(`${last.streamId}.${number}`, message);
      }
      return last.streamId;
    },
  };
}
