import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useRunLog } from "./use-run-log";

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.opened.push(this);
  }

  say(seq: number) {
    const at = "2026-11-20T10:00:00.000Z";
    this.onmessage?.({ data: JSON.stringify({ seq, at, stream: "stderr", text: `line ${seq}` }) });
  }

  close() {
    this.readyState = FakeSource.CLOSED;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.opened = [];
  vi.stubGlobal("EventSource", FakeSource);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const latest = () => FakeSource.opened.at(-1) as FakeSource;

describe("useRunLog", () => {
  it("reconnects after the last line when the server refused", () => {
    const { result } = renderHook(() => useRunLog("r1", () => {}));
    act(() => {
      latest().onopen?.();
      latest().say(1);
      latest().say(2);
      latest().close();
      latest().onerror?.();
    });
    expect(result.current).toMatchObject({ phase: "lost", lastSeq: 2 });
    act(() => vi.advanceTimersByTime(3_000));
    expect(latest().url).toBe("/api/runs/r1/events?after=2");
  });

  it("ends once, with every line", () => {
    const onEnd = vi.fn();
    const { result } = renderHook(() => useRunLog("r1", onEnd));
    act(() => {
      latest().say(1);
      latest().dispatchEvent(new Event("end"));
    });
    expect(result.current.phase).toBe("ended");
    expect(result.current.lines).toHaveLength(1);
    expect(latest().readyState).toBe(FakeSource.CLOSED);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("skips unreadable events", () => {
    const { result } = renderHook(() => useRunLog("r1", () => {}));
    act(() => {
      latest().onmessage?.({ data: "not json" });
      latest().say(1);
      vi.advanceTimersByTime(100);
    });
    expect(result.current.lines.map((line) => line.text)).toEqual(["line 1"]);
  });
});
