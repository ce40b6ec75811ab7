import type { IncomingMessage } from "node:http";
import { processStore } from "@/lib/core/process-store";
import type { Observation } from "./in-flight";

const LEAST_BYTES_PER_SECOND = 512;
/** What a body may fall behind the least rate, at the beginning and later. */
const PATIENCE_SECONDS = 15;
/** For the answer that names the reason; then the connection is closed. */
const ANSWER_SECONDS = 5;

type Watched = { request: IncomingMessage; observation: Observation; seen: number; patience: number };
type Watch = { bodies: Set<Watched>; timer: NodeJS.Timeout | null };

function watch(): Watch {
  return processStore("watched-bodies", () => ({ bodies: new Set(), timer: null }));
}

/**
 * Ends a request whose body arrives more slowly than 512 bytes a second, after a patience of 15 seconds: its reader is told
 * (`untilTooSlow`), and five seconds later the connection is closed. Seconds count in which the server would have taken bytes.
 */
export function watchBody(request: IncomingMessage, observation: Observation): void {
  const { headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!hasBody) return;
  const store = watch();
  store.bodies.add({ request, observation, seen: request.socket.bytesRead, patience: PATIENCE_SECONDS });
  // One clock for all: a process that was busy for long counts one second, since what had arrived was not read.
  store.timer ??= setInterval(() => passSecond(store), 1_000).unref();
}

function passSecond(store: Watch): void {
  for (const body of store.bodies) {
    const { complete, destroyed, socket } = body.request;
    // A request that was answered before its end is not destroyed with its connection.
    if (complete || destroyed || socket.destroyed) store.bodies.delete(body);
    else if (!isHeldBack(body.request)) judge(body);
  }
  if (store.bodies.size > 0 || store.timer === null) return;
  clearInterval(store.timer);
  store.timer = null;
}

/** Nothing is read off the connection while this much waits for a reader. */
function isHeldBack(request: IncomingMessage): boolean {
  return request.readableLength >= request.readableHighWaterMark;
}

function judge(body: Watched): void {
  const { request, observation } = body;
  const received = request.socket.bytesRead - body.seen;
  body.seen += received;
  body.patience = Math.min(PATIENCE_SECONDS, body.patience - 1 + received / LEAST_BYTES_PER_SECOND);
  if (observation.tooSlow === "no" && body.patience > 0) return;
  if (observation.tooSlow === "no") {
    observation.tooSlow = "yes";
    observation.onTooSlow?.();
    body.patience = 0;
  }
  if (body.patience <= -ANSWER_SECONDS) request.socket.destroy();
}
