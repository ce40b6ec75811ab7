import type { ExchangeRequest, Outcome, RunEventItem } from "./protocol";

export type RunKey = { runId: string; fence: number };

/** A run from its lease until the server has acknowledged its end; `events` are those it has not acknowledged yet. */
export type HeldRun = RunKey & { events: RunEventItem[]; outcome: Outcome | null };

/** The part of an exchange that tells what happened. */
export type Report = Pick<ExchangeRequest, "events" | "completions" | "returned">;
