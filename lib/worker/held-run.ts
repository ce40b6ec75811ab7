import type { ExchangeRequest, Outcome, RunEventItem } from "./protocol";

export type RunKey = { runId: string; fence: number };

/** A run from its lease until the server has acknowledged its end; `events` are those it has not acknowledged yet. */
export type HeldRun = RunKey & {
  events: RunEventItem[];
  outcome: Outcome | null;
  /** Null until it has its turn. */
  start: RunStart | null;
};

/** What the server knows of a start. `accept`: ends the wait at the barrier; null for a lease without one. */
export type RunStart = { atMs: number; isAsked: boolean; isAccepted: boolean; accept: (() => void) | null };

/** The part of an exchange that tells what happened. */
export type Report = Pick<ExchangeRequest, "events" | "completions" | "returned" | "started">;
