import type { RunEvent } from "@/lib/runner/schema";

export type LogLine = { number: number; seq: number; at: string; stream: RunEvent["stream"]; text: string };

export type RunLogState = {
  lines: readonly LogLine[];
  /** The last event seen; a new connection asks for what comes after. */
  lastSeq: number;
  phase: "connecting" | "live" | "reconnecting" | "lost" | "ended";
};

export type RunLogAction =
  | { type: "opened" }
  | { type: "events"; events: readonly RunEvent[] }
  /** The browser reconnects by itself. */
  | { type: "dropped" }
  /** It does not: the server refused, or answered something else. */
  | { type: "lost" }
  | { type: "ended" };

export const emptyLog: RunLogState = { lines: [], lastSeq: 0, phase: "connecting" };

export function changeLog(state: RunLogState, action: RunLogAction): RunLogState {
  // Nothing follows the end; a late error of the closing connection must not undo it.
  if (state.phase === "ended") return state;
  switch (action.type) {
    case "opened":
      return { ...state, phase: "live" };
    case "events":
      return addEvents(state, action.events);
    case "dropped":
      return { ...state, phase: "reconnecting" };
    case "lost":
      return { ...state, phase: "lost" };
    case "ended":
      return { ...state, phase: "ended" };
  }
}

function addEvents(state: RunLogState, events: readonly RunEvent[]): RunLogState {
  const lines: LogLine[] = [];
  let { lastSeq } = state;
  for (const { seq, at, stream, text } of events) {
    // After a reconnect the server may begin a little earlier than where we were.
    if (seq <= lastSeq) continue;
    lastSeq = seq;
    for (const line of text.replace(/\r?\n$/, "").split(/\r?\n/)) {
      lines.push({ number: state.lines.length + lines.length + 1, seq, at, stream, text: line });
    }
  }
  return lines.length === 0
    ? { ...state, phase: "live" }
    : { lines: [...state.lines, ...lines], lastSeq, phase: "live" };
}
