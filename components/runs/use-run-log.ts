"use client";

import { useEffect, useReducer, useRef } from "react";
import { RunEvent } from "@/lib/runner/schema";
import { changeLog, emptyLog, type RunLogState } from "./run-log-state";

/** One frame: with the 50 ms a worker collects events for, a line is on the screen within 100 ms. */
const flushMs = 16;
const retryMs = 3_000;

/**
 * What a run says, as it says it. The browser resumes a dropped connection by `Last-Event-ID`; when the server refuses,
 * a new one is made after a pause. Mount it with the run's id as key: one log is one run.
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
        // A chatty run would otherwise draw the page once a line.
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
    return RunEvent.parse(JSON.parse(data));
  } catch {
    return null; // A line this page does not know is left out; the log goes on.
  }
}
