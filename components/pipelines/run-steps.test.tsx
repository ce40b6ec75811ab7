import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { someRun } from "@/components/runs/testing/some-run";
import type { PipelineSteps } from "@/lib/runner/pipelines/schema";
import type { Run } from "@/lib/runner/schema";
import { RunSteps } from "./run-steps";

const step = { name: "note_it", calls: "tool" as const, inputs: [], usedBy: [] };
const child = {
  ...{ id: "child-1", state: "succeeded" as const, class: "mutating" as const, pipeline: false, durationMs: 40 },
  ...{ error: null, skill: { id: "s", name: "note_it", label: null } },
};
const later = { ...child, id: "child-2", state: "awaiting_approval" as const };
const FIRST: PipelineSteps = {
  steps: [
    { ...step, index: 0, key: "note", run: child },
    { ...step, index: 1, key: "step-2", run: null },
  ],
};
const THEN: PipelineSteps = { steps: FIRST.steps.map((item, index) => (index === 1 ? { ...item, run: later } : item)) };

let answer = FIRST;
const ask = vi.fn(async () => Response.json(answer));

beforeEach(() => {
  answer = FIRST;
  ask.mockClear();
  vi.stubGlobal("fetch", ask);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function show(run: Run, said: number) {
  const client = new QueryClient();
  const view = (lines: number) => (
    <QueryClientProvider client={client}>
      <RunSteps run={run} eventCount={lines} />
    </QueryClientProvider>
  );
  const { rerender } = render(view(said));
  return { say: (lines: number) => rerender(view(lines)) };
}

it("shows the state and run of each step, and reloads on new log lines", async () => {
  // A run that has ended is not polled.
  const { say } = show(someRun({ state: "succeeded", pipeline: { waitsFor: null } }), 1);
  const items = within(await screen.findByRole("list", { name: "Steps of the pipeline" })).getAllByRole("listitem");
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringContaining("Succeeded"),
    expect.stringContaining("Not started"),
  ]);
  expect(screen.getByRole("link").getAttribute("href")).toBe("/runs/child-1");
  expect(ask).toHaveBeenCalledTimes(1);
  answer = THEN;
  say(2);
  expect(await screen.findByText("Awaiting approval")).toBeTruthy();
  expect(ask).toHaveBeenCalledTimes(2);
});

it("reloads until no step is running, also when the run ended during the first request", async () => {
  vi.useFakeTimers();
  const going = { ...child, id: "child-2", state: "running" as const };
  const withSecond = (run: typeof going | typeof child) => ({
    steps: FIRST.steps.map((item, index) => (index === 1 ? { ...item, run } : item)),
  });
  answer = withSecond(going);
  show(someRun({ state: "succeeded", pipeline: { waitsFor: null } }), 1);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText("Running")).toBeTruthy();
  answer = withSecond({ ...child, id: "child-2" });
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(screen.getAllByText("Succeeded")).toHaveLength(2);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(ask).toHaveBeenCalledTimes(2);
});

it("links to the step that needs approval", async () => {
  show(someRun({ state: "running", pipeline: { waitsFor: { step: 2, runId: "child-2" } } }), 1);
  expect(screen.getByText("Step 2 needs approval")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the run of step 2" }).getAttribute("href")).toBe("/runs/child-2");
});
