import type { ServerResponse } from "node:http";
import type { Actor } from "@/lib/core/actor";
import { processStore } from "@/lib/core/process-store";

/** Set by our own listener on each request, over anything a client sends: the number of its observation. */
export const OBSERVATION_HEADER = "x-skillgate-observation";
/** Of a request id that somebody else gave. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{8,100}$/;

/** A request under way, as the listener sees it, and who sent it once that is known. */
export type Observation = {
  response: ServerResponse;
  actor: { kind: Actor["kind"]; id: string | null };
  /** Whether the body arrived more slowly than is allowed. */
  tooSlow: "no" | "yes";
  /** Called once when it does; set by the one reader of the body. */
  onTooSlow: (() => void) | null;
};

type InFlight = { last: number; byNumber: Map<string, Observation> };

function store(): InFlight {
  return processStore("requests-in-flight", () => ({ last: 0, byNumber: new Map() }));
}

export function beginObservation(response: ServerResponse): { number: string; observation: Observation } {
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

export function endObservation(number: string): void {
  store().byNumber.delete(number);
}

/** Notes who sent the request, for its line in the log. Does nothing for requests that came past the listener. */
export function noteActor(headers: Headers, actor: Actor): void {
  const observation = store().byNumber.get(headers.get(OBSERVATION_HEADER) ?? "");
  if (observation) observation.actor = { kind: actor.kind, id: idOf(actor) };
}

/** What reads a body, or rejects with what `refuse` answers as soon as the body arrives too slowly. */
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

/** Whether the listener has looked at this request before. */
export function isObserved(headers: Headers): boolean {
  return store().byNumber.has(headers.get(OBSERVATION_HEADER) ?? "");
}

/** How many requests are under way, and how many of them are streams of events. */
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
