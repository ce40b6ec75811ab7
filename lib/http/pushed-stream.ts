import { untilStopping } from "./until-stopping";

const HEARTBEAT_MS = 15_000;

/**
 * Server-Sent Events (HTML standard, section 9.2) that `work` pushes one by one. What it throws before the first of them is
 * thrown here, so that it is answered as a problem; later the stream ends. `work` is told when the client hangs up, unless
 * `goesOn`: then only when the process begins to stop.
 */
export async function pushedStream<T extends { type: string }>(
  caller: AbortSignal,
  work: (push: (event: T) => void, signal: AbortSignal) => Promise<void>,
  { goesOn = false }: { goesOn?: boolean } = {},
): Promise<Response> {
  const encoder = new TextEncoder();
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
  const done = untilStopping(either, (signal) => work(push, signal));
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
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
