import type { StreamItem } from "@/lib/runner/runs/stream-events";
import { shutdownSignal, untilShutdown } from "./shutdown";

/** Clients resume, so streams need not outlast proxies that cut long responses. */
const MAX_STREAM_MS = 5 * 60_000;
/** Time for another process to take over before clients reconnect. */
const RETRY_AFTER_STOP_MS = 2_000;
const HEARTBEAT_MS = 15_000;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const encoder = new TextEncoder();

/**
 * Streams a generator as Server-Sent Events (HTML standard, section 9.2) until the client disconnects, the process
 * stops, or five minutes have passed. Not `AbortSignal.any`: the process-wide signal would retain a reference to each
 * stream.
 */
export function eventStream(caller: AbortSignal, open: (signal: AbortSignal) => AsyncGenerator<StreamItem>): Response {
  const over = new AbortController();
  const end = () => over.abort();
  const sources = [caller, shutdownSignal()];
  const limit = setTimeout(end, MAX_STREAM_MS).unref();
  over.signal.addEventListener("abort", () => {
    clearTimeout(limit);
    for (const source of sources) source.removeEventListener("abort", end);
  });
  for (const source of sources) source.addEventListener("abort", end);
  if (sources.some(({ aborted }) => aborted)) end();
  const items = open(over.signal);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 500\n\n")),
    pull: async (controller) => {
      try {
        const next = await items.next();
        if (next.done && shutdownSignal().aborted) {
          controller.enqueue(encoder.encode(`retry: ${RETRY_AFTER_STOP_MS}\n\n`));
        }
        if (!next.done) return controller.enqueue(encoder.encode(format(next.value)));
        end();
        controller.close();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel: end,
  });
  return new Response(body, { headers: HEADERS });
}

function format(item: StreamItem): string {
  switch (item.kind) {
    case "event":
      return `id: ${item.event.seq}\ndata: ${JSON.stringify(item.event)}\n\n`;
    case "heartbeat":
      return ": still here\n\n";
    case "end":
      return `event: end\ndata: ${JSON.stringify({ state: item.state })}\n\n`;
  }
}

/**
 * Streams Server-Sent Events that `work` pushes. Rethrows errors before the first event, so that they become problem
 * answers; later errors end the stream. Aborts `work` when the client disconnects or, with `goesOn`, only when the
 * process stops.
 */
export async function pushedStream<T extends { type: string }>(
  caller: AbortSignal,
  work: (push: (event: T) => void, signal: AbortSignal) => Promise<void>,
  { goesOn = false }: { goesOn?: boolean } = {},
): Promise<Response> {
  const hangUp = new AbortController();
  const waiting: Uint8Array[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const send = (text: string) => {
    const bytes = encoder.encode(text);
    if (controller === null) waiting.push(bytes);
    else if (!hangUp.signal.aborted && !caller.aborted) controller.enqueue(bytes);
  };
  const push = (event: T) => {
    send(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    begin();
  };
  const either = goesOn ? new AbortController().signal : AbortSignal.any([caller, hangUp.signal]);
  const done = untilShutdown(either, (signal) => work(push, signal));
  await Promise.race([begun, done]);
  const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      for (const bytes of waiting) opened.enqueue(bytes);
      controller = opened;
      done
        .catch(() => {})
        .finally(() => {
          clearInterval(heartbeat);
          if (!hangUp.signal.aborted && !caller.aborted) opened.close();
        });
    },
    cancel: () => hangUp.abort(),
  });
  return new Response(body, { headers: HEADERS });
}
