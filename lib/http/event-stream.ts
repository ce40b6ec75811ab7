import type { StreamItem } from "@/lib/runner/stream-events";
import { stoppingSignal } from "./stopping-signal";

/** A client resumes where it was, so a stream need not outlive proxies that cut long answers. */
const MAX_STREAM_MS = 5 * 60_000;
/** How long to wait before coming back to a server that stops: another one has to be there first. */
const RETRY_AFTER_STOP_MS = 2_000;

/** Server-Sent Events (HTML standard, section 9.2) out of a generator; ends it when the client hangs up. */
export function eventStream(signal: AbortSignal, open: (signal: AbortSignal) => AsyncGenerator<StreamItem>): Response {
  const stop = AbortSignal.any([signal, stoppingSignal(), AbortSignal.timeout(MAX_STREAM_MS)]);
  const hangUp = new AbortController();
  const items = open(AbortSignal.any([stop, hangUp.signal]));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 500\n\n")),
    pull: async (controller) => {
      const next = await items.next();
      if (next.done && stoppingSignal().aborted) {
        controller.enqueue(encoder.encode(`retry: ${RETRY_AFTER_STOP_MS}\n\n`));
      }
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(format(next.value)));
    },
    cancel: () => hangUp.abort(),
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
