import type { IncomingMessage, ServerResponse } from "node:http";
import type { Actor } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { metrics } from "@/lib/core/metrics";
import { processStore } from "@/lib/core/process-store";
import { continueTrace, formatTraceParent, type TraceContext } from "@/lib/core/trace-context";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Polled by programs every few seconds, so only failures are logged. */
const PROBES = new Set(["static", "/api/health", "/api/ready", "/metrics", "/api/worker/exchange"]);

/**
 * Sets the request's id and trace, and counts and logs it at its end. A client's request id is accepted through trusted
 * proxies only. The log has the `route` (`Found.name`), never the address, which may contain secrets.
 */
export function observeRequest(request: IncomingMessage, response: ServerResponse, route: string): void {
  const clock = performance.now();
  const trace = continueTrace(single(request.headers.traceparent));
  const requestId = acceptedId(request) ?? newId();
  const { number, observation } = beginObservation(response);
  request.headers["x-request-id"] = requestId;
  request.headers.traceparent = formatTraceParent(trace);
  request.headers[OBSERVATION_HEADER] = number;
  watchBody(request, observation);
  response.once("close", () => {
    endObservation(number);
    const ms = performance.now() - clock;
    const method = METHODS.has(request.method ?? "") ? String(request.method) : "other";
    count({ method, route, status: response.statusCode, ms });
    writeLine({ method, route, ms, requestId, trace, observation });
  });
}

type Ended = { method: string; route: string; ms: number };

function count({ method, route, status, ms }: Ended & { status: number }): void {
  const { requests, requestSeconds } = metrics();
  requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` });
  requestSeconds.observe({ method, route }, ms / 1000);
}

type Line = Ended & { requestId: string; trace: TraceContext; observation: Observation };

function writeLine({ method, route, ms, requestId, trace, observation: { response, actor } }: Line): void {
  const status = response.statusCode;
  const isOk = status < 400;
  if (isOk && !isSampled(trace.traceId)) return;
  const isProbe = PROBES.has(route);
  const level = status >= 500 && !isProbe ? "error" : isOk && isProbe ? "debug" : "info";
  logger[level](
    {
      ...{ method, route, status, ms: Math.round(ms * 10) / 10, requestId, traceId: trace.traceId },
      ...{ spanId: trace.spanId, actor: actor.kind, actorId: actor.id },
      // The client disconnected before the end of the response.
      ...(response.writableFinished ? {} : { aborted: true }),
    },
    "request",
  );
}

let sample: { text: string | undefined; share: number } = { text: undefined, share: 1 };

/** Sampled by trace, so that all requests of a trace are logged or none. */
function isSampled(traceId: string): boolean {
  // Parsing the whole environment per request would cost more than the line.
  const text = process.env.SKILLGATE_LOG_SAMPLE;
  if (sample.text !== text) sample = { text, share: getEnv().SKILLGATE_LOG_SAMPLE };
  const { share } = sample;
  return share >= 1 || Number.parseInt(traceId.slice(-8), 16) < share * 0x1_0000_0000;
}

function acceptedId(request: IncomingMessage): string | null {
  const given = single(request.headers["x-request-id"]);
  if (given === null || !REQUEST_ID.test(given)) return null;
  const trusted = getEnv().SKILLGATE_TRUSTED_PROXIES;
  const remote = request.socket.remoteAddress;
  return remote !== undefined && trusted.split(",").some((entry) => entry.trim() === remote) ? given : null;
}

/** Repeated headers are ignored. */
function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Header with the number of the observation, which our listener sets over any value of the client. */
export const OBSERVATION_HEADER = "x-skillgate-observation";
export const REQUEST_ID = /^[A-Za-z0-9._-]{8,100}$/;

/** A request in flight, with its actor once known. */
type Observation = {
  response: ServerResponse;
  actor: { kind: Actor["kind"]; id: string | null };
  tooSlow: "no" | "yes";
  /** Called once when the body is too slow; set by its reader. */
  onTooSlow: (() => void) | null;
};

type InFlight = { last: number; byNumber: Map<string, Observation> };

function store(): InFlight {
  return processStore("requests-in-flight", () => ({ last: 0, byNumber: new Map() }));
}

function beginObservation(response: ServerResponse): { number: string; observation: Observation } {
  const all = store();
  all.last += 1;
  const number = String(all.last);
  const observation: Observation = {
    response,
    actor: { kind: "anonymous", id: null },
    tooSlow: "no",
    onTooSlow: null,
  };
  all.byNumber.set(number, observation);
  return { number, observation };
}

function endObservation(number: string): void {
  store().byNumber.delete(number);
}

/** Records the actor for the log. Does nothing for requests that bypassed the listener. */
export function noteActor(headers: Headers, actor: Actor): void {
  const observation = store().byNumber.get(headers.get(OBSERVATION_HEADER) ?? "");
  if (observation) observation.actor = { kind: actor.kind, id: idOf(actor) };
}

/** Returns the result of `work`, or rejects with the error of `refuse` as soon as the body is too slow. */
export async function untilTooSlow<T>(headers: Headers, work: Promise<T>, refuse: () => Error): Promise<T> {
  const observation = store().byNumber.get(headers.get(OBSERVATION_HEADER) ?? "");
  if (observation === undefined) return work;
  const slow = new Promise<never>((_, reject) => {
    observation.onTooSlow = () => reject(refuse());
    if (observation.tooSlow === "yes") observation.onTooSlow();
  });
  try {
    return await Promise.race([work, slow]);
  } finally {
    observation.onTooSlow = null;
  }
}

export function isObserved(headers: Headers): boolean {
  return store().byNumber.has(headers.get(OBSERVATION_HEADER) ?? "");
}

export function countInFlight(): { requests: number; streams: number } {
  const all = [...store().byNumber.values()];
  const streams = all.filter(({ response }) =>
    String(response.getHeader("content-type")).startsWith("text/event-stream"),
  );
  return { requests: all.length, streams: streams.length };
}

function idOf(actor: Actor): string | null {
  if (actor.kind === "user") return actor.userId;
  if (actor.kind === "token") return actor.tokenId;
  return actor.kind === "worker" ? actor.workerId : null;
}

const LEAST_BYTES_PER_SECOND = 512;
/** Seconds that a body may fall behind the minimum rate. */
const GRACE_SECONDS = 15;
/** Time to send the error before the connection is closed. */
const ANSWER_SECONDS = 5;

type Watched = { request: IncomingMessage; observation: Observation; seen: number; grace: number };
type Watch = { bodies: Set<Watched>; timer: NodeJS.Timeout | null };

function watch(): Watch {
  return processStore("watched-bodies", () => ({ bodies: new Set(), timer: null }));
}

/**
 * Ends a request whose body arrives more slowly than 512 bytes per second for 15 seconds: notifies its reader
 * (`untilTooSlow`) and closes the connection five seconds later. Seconds in which the server was not reading do not
 * count.
 */
function watchBody(request: IncomingMessage, observation: Observation): void {
  const { headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!hasBody) return;
  const store = watch();
  store.bodies.add({ request, observation, seen: request.socket.bytesRead, grace: GRACE_SECONDS });
  // One timer for all: a blocked process counts one second, since it did not read what had arrived.
  store.timer ??= setInterval(() => passSecond(store), 1_000).unref();
}

function passSecond(store: Watch): void {
  for (const body of store.bodies) {
    const { complete, destroyed, socket } = body.request;
    // An answered request is not destroyed with its connection.
    if (complete || destroyed || socket.destroyed) store.bodies.delete(body);
    else if (!isPaused(body.request)) judge(body);
  }
  if (store.bodies.size > 0 || store.timer === null) return;
  clearInterval(store.timer);
  store.timer = null;
}

/** Node stops reading the connection while this much is buffered. */
function isPaused(request: IncomingMessage): boolean {
  return request.readableLength >= request.readableHighWaterMark;
}

function judge(body: Watched): void {
  const { request, observation } = body;
  const received = request.socket.bytesRead - body.seen;
  body.seen += received;
  body.grace = Math.min(GRACE_SECONDS, body.grace - 1 + received / LEAST_BYTES_PER_SECOND);
  if (observation.tooSlow === "no" && body.grace > 0) return;
  if (observation.tooSlow === "no") {
    observation.tooSlow = "yes";
    observation.onTooSlow?.();
    body.grace = 0;
  }
  if (body.grace <= -ANSWER_SECONDS) request.socket.destroy();
}
