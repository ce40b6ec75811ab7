import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EvalAnswer, EvaluationDetail } from "@/lib/agent/evals/schema";
import { EvaluationResults } from "./evaluation-results";
import { EvaluationTable } from "./evaluation-section";

const figures = { answers: 1, passed: 1, tokens: 60, steps: 2, medianMs: 900 };
const answer: EvalAnswer = {
  ...{ answer: "It is xyzzy.", passed: true, checks: [{ what: "contains “xyzzy”", passed: true, why: "" }] },
  reason: "done",
  ...{ problem: null, steps: 2, tokens: 60, durationMs: 900, sessionId: "a1" },
};
const evaluation: EvaluationDetail = {
  ...{ id: "e1", skill: { id: "s1", name: "knows" }, versionDigest: "a".repeat(64), versionNumber: 2 },
  ...{ endpointName: "scripted", model: "m", limits: { steps: 10, tokens: 1000, seconds: 60 } },
  state: "running",
  ...{ error: null, cases: 2, createdBy: "Mara", createdAt: "2026-11-20T10:00:00.000Z", finishedAt: null },
  withSkill: figures,
  withoutSkill: { ...figures, passed: 0 },
  mayCancel: true,
  results: [
    {
      ...{ caseId: "word", prompt: "What is it?", expected: "xyzzy", withSkill: answer },
      withoutSkill: { ...answer, answer: "", passed: false, checks: [], reason: "tokens", sessionId: null },
    },
    { caseId: "later", prompt: "And then?", expected: null, withSkill: null, withoutSkill: null },
  ],
};
const fetchMock = vi.fn<typeof fetch>(async () => Response.json(evaluation));

class Observer {
  observe() {}
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("ResizeObserver", Observer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test("shows both answers to a case with their checks, and stops the evaluation", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EvaluationResults id="e1" onClose={() => {}} />
    </QueryClientProvider>,
  );
  const first = await screen.findByRole("region", { name: "Case word" });
  const side = (name: string) => within(within(first).getByRole("region", { name }));
  expect(side("With the skill").getByText("It is xyzzy.")).toBeTruthy();
  expect(side("With the skill").getByText("contains “xyzzy”")).toBeTruthy();
  expect(side("With the skill").getByRole("link", { name: "open session" }).getAttribute("href")).toBe("/agents/a1");
  expect(side("Without it").getByText("The token limit was reached.")).toBeTruthy();
  expect(side("Without it").getByText("Failed")).toBeTruthy();
  const later = within(screen.getByRole("region", { name: "Case later" }));
  expect(later.getAllByText("No answer")).toHaveLength(2);
  await userEvent.setup().click(screen.getByRole("button", { name: "Stop" }));
  const posted = fetchMock.mock.calls.filter(([, init]) => init?.method === "POST").map(([path]) => path);
  expect(posted).toEqual(["/api/evaluations/e1/cancel"]);
});

test("compares versions, shows the progress of a running evaluation, and hides the button without permission", () => {
  const done = { ...evaluation, id: "e0", versionNumber: 1, state: "done" as const };
  render(<EvaluationTable evaluations={[evaluation, done]} onOpen={null} />);
  const [, running, ended] = screen.getAllByRole("row");
  if (!running || !ended) throw new Error("both are to be shown");
  expect(within(running).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("2");
  expect(ended.textContent).toContain("Version 1Done1 of 10 of 160, 602, 2900 ms");
  expect(screen.queryByRole("button")).toBeNull();
});
