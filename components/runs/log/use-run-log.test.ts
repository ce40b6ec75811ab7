import { describe, expect, it } from "vitest";
import { changeLog, emptyLog, type RunLogAction } from "./use-run-log";

const event = (seq: number, text = `line ${seq}`) => ({
  seq,
  text,
  at: "2026-11-20T10:00:00.000Z",
  stream: "stderr" as const,
});

function logAfter(...actions: RunLogAction[]) {
  return actions.reduce(changeLog, emptyLog);
}

describe("changeLog", () => {
  it("numbers lines in the order they came", () => {
    const state = logAfter({ type: "opened" }, { type: "events", events: [event(1), event(2)] });
    expect(state.lines.map(({ number, text }) => [number, text])).toEqual([
      [1, "line 1"],
      [2, "line 2"],
    ]);
    expect(state.phase).toBe("live");
  });

  it("drops repeated events when a connection resumes earlier", () => {
    const state = logAfter(
      { type: "events", events: [event(1), event(2)] },
      { type: "dropped" },
      { type: "opened" },
      { type: "events", events: [event(2), event(3)] },
      { type: "events", events: [event(3)] },
    );
    expect(state.lines.map((line) => line.seq)).toEqual([1, 2, 3]);
    expect(state.lastSeq).toBe(3);
  });

  it("keeps counting across gaps", () => {
    const state = logAfter({ type: "events", events: [event(1), event(900)] });
    expect(state.lines.map((line) => line.number)).toEqual([1, 2]);
    expect(state.lastSeq).toBe(900);
  });

  it("gives each line of a text its own number", () => {
    const state = logAfter({ type: "events", events: [event(1, "a\nb\r\nc\n")] });
    expect(state.lines.map(({ text }) => text)).toEqual(["a", "b", "c"]);
  });

  it.each<[RunLogAction["type"], string]>([
    ["dropped", "reconnecting"],
    ["lost", "lost"],
  ])("keeps its lines when the connection is %s", (type, phase) => {
    const state = logAfter({ type: "events", events: [event(1)] }, { type } as RunLogAction);
    expect(state).toMatchObject({ phase, lastSeq: 1 });
    expect(state.lines).toHaveLength(1);
  });

  it("ignores events after the end", () => {
    const ended = logAfter({ type: "events", events: [event(1)] }, { type: "ended" });
    expect(changeLog(ended, { type: "lost" })).toBe(ended);
    expect(changeLog(ended, { type: "events", events: [event(2)] })).toBe(ended);
  });
});
