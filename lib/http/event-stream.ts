import type { StreamItem } from "@/lib/runner/runs/stream-events";
import { stoppingSignal } from "./stopping-signal";

/** A client resumes where it was, so a stream need not outlive proxies that cut long answers. */
const MAX_STREAM_MS = 5 * 60_000;
/** How long to wait before coming back to a server that stops: another one has to be there first. */
const RETRY_AFTER_STOP_MS = 2_000;

/**
 * Server-Sent Events (HTML standard, section 9.2) out of a generator; ends it when the client hangs up, when the process begins
 * to stop, and after five minutes. Not `AbortSignal.any`: the process's own signal would keep a note of each stream.
 */
export function eventStream(caller: AbortSignal, open: (signal: AbortSignal) => AsyncGenerator<StreamItem>): Response {
  const over = new AbortController();
  const end = () => over.abort();
  const sources = [caller, stoppingSignal()];
  const limit = setTimeout(end, MAX_STREAM_MS).unref();
  over.signal.addEventListener("abort", () => {
    clearTimeout(limit);
    for (const source of sources) source.removeEventListener("abort", end);
  });
  for (const source of sources) source.addEventListener("abort", end);
  if (sources.some(({ aborted }) => aborted)) end();
  const items = open(over.signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 500\n\n")),
    pull: async (controller) => {
      try {
        const next = await items.next();
        if (next.done && stoppingSignal().aborted) {
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
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
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
