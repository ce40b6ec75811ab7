import { describe, expect, it } from "vitest";
import type { PlaygroundEvent } from "@/lib/agent/playground/schema";
import { addEvents, readTurn } from "./read-turn";

const text = (words: string, fork: string | null = null): PlaygroundEvent => ({ type: "text", fork, text: words });
const call = (id: string, tool: string, fork: string | null = null): PlaygroundEvent => ({
  ...{ type: "call", fork, id, tool },
  args: { name: tool },
});
const result = (id: string, tool: string, outcome: "ok" | "refused" = "ok", fork: string | null = null) =>
  ({ type: "result", fork, id, tool, outcome, content: `${tool} answered`, runId: null, milliseconds: 3 }) as const;
const end: PlaygroundEvent = { type: "end", fork: null, reason: "done", message: null };

describe("addEvents", () => {
  it("joins adjacent text of the same agent only", () => {
    const events = addEvents([text("Hel")], [text("lo"), text("inside", "f1"), text("!"), end]);
    expect(events).toEqual([text("Hello"), text("inside", "f1"), text("!"), end]);
  });

  it("does not change its input", () => {
    const before = [text("a")];
    addEvents(before, [text("b")]);
    expect(before).toEqual([text("a")]);
  });
});

describe("readTurn", () => {
  it("puts text and calls in order, and results with their calls", () => {
    const {
      parts,
      trace,
      usage,
      end: ended,
    } = readTurn([
      { type: "preamble", fork: null, text: "You help", tools: ["use_skill"] },
      text("First "),
      call("1", "use_skill"),
      result("1", "use_skill"),
      { type: "limit", fork: null, skill: "notes", tools: ["Read"] },
      { type: "usage", fork: null, steps: 1, tokens: 15 },
      text("then"),
      { type: "usage", fork: null, steps: 2, tokens: 30 },
      end,
    ]);
    expect(parts.map((part) => (part.kind === "text" ? part.text : part.result?.content))).toEqual([
      "First ",
      "use_skill answered",
      "then",
    ]);
    expect(trace.map(({ kind }) => kind)).toEqual(["preamble", "call", "limit", "end"]);
    expect(usage).toEqual({ steps: 2, tokens: 30 });
    expect(ended).toEqual({ reason: "done", message: null });
  });

  it("matches results to calls when a model reuses ids", () => {
    const { parts } = readTurn([
      call("call_0", "a"),
      result("call_0", "a"),
      call("call_0", "b"),
      result("call_0", "b", "refused"),
      call("call_0", "c"),
    ]);
    expect(parts.map((part) => part.kind === "call" && [part.tool, part.result?.outcome])).toEqual([
      ["a", "ok"],
      ["b", "refused"],
      ["c", undefined],
    ]);
  });

  it("keeps a sub-agent's events inside it and out of the chat", () => {
    const { parts, trace } = readTurn([
      call("1", "use_skill"),
      { type: "fork", fork: "f1", skill: "digger", tools: ["Read"] },
      call("1", "dig", "f1"),
      result("1", "dig", "refused", "f1"),
      text("{}", "f1"),
      { type: "usage", fork: "f1", steps: 2, tokens: 40 },
      { type: "joined", fork: "f1", result: '{"outcome":"done"}', reason: "done" },
      result("1", "use_skill"),
      end,
    ]);
    expect(parts).toMatchObject([{ kind: "call", tool: "use_skill", result: { outcome: "ok" } }]);
    expect(trace.map(({ kind }) => kind)).toEqual(["call", "fork", "end"]);
    expect(trace[1]).toMatchObject({
      ...{ skill: "digger", tools: ["Read"], text: "{}", usage: { steps: 2, tokens: 40 } },
      nodes: [{ kind: "call", tool: "dig", result: { outcome: "refused" } }],
      joined: { result: '{"outcome":"done"}', reason: "done" },
    });
  });

  it("ignores results without a call and events of unknown sub-agents", () => {
    const reading = readTurn([result("9", "ghost"), text("lost", "f9"), call("1", "lost", "f9")]);
    expect(reading).toEqual({ parts: [], trace: [], usage: null, end: null });
  });
});
