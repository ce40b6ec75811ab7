import { useEffect, useReducer, useRef } from "react";
import type { RunEvent } from "@/lib/runner/schema";
import { type AnsiStyle, plainStyle, readAnsi } from "./ansi";

export type LogLine = {
  number: number;
  seq: number;
  at: string;
  stream: RunEvent["stream"];
  text: string;
  /** Text for search and copy: without colours, with hidden characters made visible. */
  plain: string;
  style: AnsiStyle;
};

export type RunLogState = {
  lines: readonly LogLine[];
  /** Sequence number of the last event; a new connection resumes after it. */
  lastSeq: number;
  style: AnsiStyle;
  phase: "connecting" | "live" | "reconnecting" | "lost" | "ended";
};

export type RunLogAction =
  | { type: "opened" }
  | { type: "events"; events: readonly RunEvent[] }
  /** The browser reconnects automatically. */
  | { type: "dropped" }
  /** The server refused the connection; the browser does not reconnect. */
  | { type: "lost" }
  | { type: "ended" };

export const emptyLog: RunLogState = { lines: [], lastSeq: 0, style: plainStyle, phase: "connecting" };

/** One frame; with the 50 ms for which workers batch events, a line is visible within 100 ms. */
const flushMs = 16;
const retryMs = 3_000;

/**
 * The live log of a run. The browser resumes a dropped connection with `Last-Event-ID`; after a refusal the hook reconnects
 * with a delay. Mount it with the run id as key.
 */
export function useRunLog(runId: string, onEnd: () => void): RunLogState {
  const [state, dispatch] = useReducer(changeLog, emptyLog);
  const lastSeq = useRef(0);
  const ended = useRef(onEnd);
  useEffect(() => {
    lastSeq.current = state.lastSeq;
    ended.current = onEnd;
  });

  useEffect(() => {
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let flush: ReturnType<typeof setTimeout> | undefined;
    let waiting: RunEvent[] = [];

    const deliver = () => {
      clearTimeout(flush);
      flush = undefined;
      if (waiting.length > 0) dispatch({ type: "events", events: waiting });
      waiting = [];
    };

    const connect = () => {
      source = new EventSource(`/api/runs/${encodeURIComponent(runId)}/events?after=${lastSeq.current}`);
      source.onopen = () => dispatch({ type: "opened" });
      source.onmessage = ({ data }: MessageEvent<string>) => {
        const event = parseEvent(data);
        if (event) waiting.push(event);
        // Batches lines, so that the page does not render once per line.
        flush ??= setTimeout(deliver, flushMs);
      };
      source.addEventListener("end", () => {
        deliver();
        dispatch({ type: "ended" });
        source?.close();
        ended.current();
      });
      source.onerror = () => {
        deliver();
        if (source?.readyState !== EventSource.CLOSED) return dispatch({ type: "dropped" });
        dispatch({ type: "lost" });
        retry = setTimeout(connect, retryMs);
      };
    };

    connect();
    return () => {
      source?.close();
      clearTimeout(retry);
      clearTimeout(flush);
    };
  }, [runId]);

  return state;
}

function parseEvent(data: string): RunEvent | null {
  try {
    const event: unknown = JSON.parse(data);
    return isRunEvent(event) ? event : null; // Skips events of unknown format.
  } catch {
    return null;
  }
}

function isRunEvent(event: unknown): event is RunEvent {
  if (typeof event !== "object" || event === null) return false;
  const { seq, at, stream, text } = event as Record<string, unknown>;
  return typeof seq === "number" && typeof at === "string" && typeof text === "string" && streams.has(stream);
}

const streams: ReadonlySet<unknown> = new Set<RunEvent["stream"]>(["stderr", "system"]);

export function changeLog(state: RunLogState, action: RunLogAction): RunLogState {
  // A late error of the closing connection must not change the final phase.
  if (state.phase === "ended") return state;
  return action.type === "events" ? addEvents(state, action.events) : { ...state, phase: phases[action.type] };
}

const phases = { opened: "live", dropped: "reconnecting", lost: "lost", ended: "ended" } as const;

function addEvents(state: RunLogState, events: readonly RunEvent[]): RunLogState {
  const lines: LogLine[] = [];
  let { lastSeq, style } = state;
  for (const { seq, at, stream, text } of events) {
    // After a reconnect the server may repeat events.
    if (seq <= lastSeq) continue;
    lastSeq = seq;
    for (const line of text.replace(/\r?\n$/, "").split(/\r?\n/)) {
      // System lines neither use nor change the run's style.
      const start = stream === "system" ? plainStyle : style;
      const { pieces, end } = readAnsi(line, start);
      if (stream !== "system") style = end;
      const plain = pieces.map((piece) => piece.text).join("");
      lines.push({ number: state.lines.length + lines.length + 1, seq, at, stream, text: line, plain, style: start });
    }
  }
  return lines.length === 0
    ? { ...state, phase: "live" }
    : { lines: [...state.lines, ...lines], lastSeq, style, phase: "live" };
}
