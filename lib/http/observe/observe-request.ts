import type { IncomingMessage, ServerResponse } from "node:http";
import { getEnv } from "@/lib/core/env";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { measures } from "@/lib/core/measures";
import { continueTrace, formatTraceParent, type TraceContext } from "@/lib/core/trace-context";
import { beginObservation, endObservation, OBSERVATION_HEADER, type Observation, REQUEST_ID } from "./in-flight";
import { watchBody } from "./watch-body";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Asked every few seconds by programs: of interest only when it does not go well. */
const PROBES = new Set(["static", "/api/health", "/api/ready", "/metrics", "/api/worker/exchange"]);

/**
 * Gives a request its id and its place in a trace, over what the client sent, and at its end counts it and writes its one
 * line. The id of a client counts only through a proxy that the operator trusts. The line says which `route` it was
 * (`Found.name`) and never the address: secrets can be part of that.
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
  const { requests, requestSeconds } = measures();
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
      // The client went away before it had the whole answer.
      ...(response.writableFinished ? {} : { aborted: true }),
    },
    "request",
  );
}

let sample: { text: string | undefined; share: number } = { text: undefined, share: 1 };

/** By the trace, so that of the requests of one trace all have their lines or none has. */
function isSampled(traceId: string): boolean {
  // Looking at the whole environment for each request would cost more than the line.
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

/** Of a field that was sent more than once, nothing. */
function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}
