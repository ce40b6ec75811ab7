import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { PlaygroundEvent } from "@/lib/agent/playground/schema";
import { readTurn } from "./read-turn";
import { TraceNodes } from "./trace-nodes";
import { TurnView } from "./turn-view";

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

const limits = { steps: 3, tokens: 100_000, seconds: 300 };

function show(ui: ReactNode) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>{ui}</TooltipProvider>
    </QueryClientProvider>,
  );
}

const refused: PlaygroundEvent[] = [
  { type: "call", fork: null, id: "1", tool: "delete_all", args: { path: "/tmp" } },
  {
    ...{ type: "result", fork: null, id: "1", tool: "delete_all", outcome: "refused" },
    ...{ content: "“notes” does not let delete_all be called.", runId: null, milliseconds: 2 },
  },
];

it("renders an answer as safe Markdown, the arguments of a call and the reason of a refusal", async () => {
  const events: PlaygroundEvent[] = [
    { type: "text", fork: null, text: "**Done** <script>alert(1)</script>" },
    ...refused,
    { type: "usage", fork: null, steps: 3, tokens: 45 },
    { type: "end", fork: null, reason: "steps", message: null },
  ];
  show(<TurnView turn={{ prompt: "Do it", events, state: "done" }} limits={limits} />);
  const turn = screen.getByRole("article", { name: "Asked: Do it" });
  // Markdown is loaded when it is first shown.
  expect((await within(turn).findByText("Done")).tagName).toBe("STRONG");
  expect(turn.querySelector("script")).toBeNull();
  expect(within(turn).getByText(/does not let delete_all/)).toBeTruthy();
  expect(within(turn).queryByText("Arguments")).toBeNull();
  await userEvent.click(within(turn).getByText("delete_all"));
  expect(within(turn).getByRole("region", { name: "Arguments" }).textContent).toContain('"path": "/tmp"');
  expect(within(turn).getByText(/its limit of 3 steps/)).toBeTruthy();
  expect(within(turn).getByText("3 steps, 45 tokens")).toBeTruthy();
});

it("shows the running tool, and an interrupted answer", () => {
  const call: PlaygroundEvent = { type: "call", fork: null, id: "1", tool: "slow_tool", args: {} };
  show(<TurnView turn={{ prompt: "Do it", events: [call], state: "running" }} limits={limits} />);
  expect(screen.getByRole("status").textContent).toBe("Running slow_tool…");
  cleanup();
  show(<TurnView turn={{ prompt: "Do it", events: [call], state: "failed" }} limits={limits} />);
  expect(screen.getByText(/The answer was interrupted/)).toBeTruthy();
});

it("shows limits, refusals and the steps of a sub-agent in the trace", () => {
  const inFork = refused.map((event) => ({ ...event, fork: "f1" }));
  const { trace } = readTurn([
    { type: "preamble", fork: null, text: "x".repeat(1234), tools: ["use_skill", "delete_all"] },
    { type: "limit", fork: null, skill: "notes", tools: ["Read"] },
    { type: "fork", fork: "f1", skill: "digger", tools: [] },
    ...inFork,
    { type: "joined", fork: "f1", result: "{}", reason: "done" },
    { type: "end", fork: null, reason: "done", message: null },
  ]);
  show(<TraceNodes nodes={trace} />);
  const [line] = screen.getAllByRole("list");
  if (!line) throw new Error("no trace list");
  const rows = [...line.children].map((row) => row.textContent ?? "");
  expect(rows).toHaveLength(4);
  expect(rows[0]).toContain("1,234 characters, 2 tools");
  expect(rows[1]).toContain("notes allows Read.");
  const fork = line.children[2];
  if (!(fork instanceof HTMLElement)) throw new Error("no sub-agent row");
  expect(within(fork).getByText(/Skillgate’s built-in tools only/)).toBeTruthy();
  expect(within(within(fork).getByRole("list")).getByText(/does not let delete_all/)).toBeTruthy();
  expect(within(fork).getByText("Returned its result.")).toBeTruthy();
  expect(rows[3]).toContain("Answered");
});
