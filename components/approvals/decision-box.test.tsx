import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { useRef, useState } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ApprovalItem } from "@/lib/runner/schema";
import type { DecisionOutcome } from "./decision-box";
import { DecisionBox } from "./decision-box";
import { OutcomeNotice } from "./decision-outcome";

const at = "2026-01-01T00:00:00.000Z";
const run: ApprovalItem = {
  id: "r1",
  skill: { id: "s1", name: "clean_tags", label: null, description: "", toolName: "clean_tags" },
  ...{ versionDigest: "d", versionNumber: 1, class: "mutating", state: "awaiting_approval", args: {}, result: null },
  ...{ error: null, rawOutput: null, exitCode: null, signal: null, timedOut: false, truncated: false },
  ...{ isolation: null, worker: null, sessionId: null, timeoutMs: 1000, queuedAt: at, startedAt: null },
  ...{ finishedAt: null, durationMs: null, caller: { kind: "user", id: "u", name: "Uli" } },
  ...{ sandboxMs: null, warm: null, cpuMs: null, peakMemoryBytes: null, attempt: 1, retryOfId: null, scheduleId: null },
  ...{ parentRunId: null, stepIndex: null, stepKey: null, groupId: null, target: null },
  approval: { rule: "", reason: "", given: 0, needed: 1, by: [], sopId: null, requestedAt: at, expiresAt: at },
  asks: { person: { id: "u", name: "Uli" }, token: null, persona: null },
  ...{ argsDigest: "a", classMeaning: "", grants: {}, touches: [], targetWorker: null, maySign: [], sop: null },
  you: { maySign: true, whyNot: null },
};
const decisions: unknown[] = [];
let answer: () => Response = () => HttpResponse.json({ ...run, state: "queued" });
const server = setupServer(
  http.post("*/api/runs/r1/decisions", async ({ request }) => {
    decisions.push(await request.json());
    return answer();
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
beforeEach(() => {
  decisions.length = 0;
  answer = () => HttpResponse.json({ ...run, state: "queued" });
});
afterEach(cleanup);

function Box({ item }: { item: ApprovalItem }) {
  const [outcome, setOutcome] = useState<DecisionOutcome | null>(null);
  const commentRef = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      {outcome ? <OutcomeNotice runId={item.id} outcome={outcome} /> : null}
      <DecisionBox item={item} onOutcome={setOutcome} commentRef={commentRef} />
    </>
  );
}

function show(item: ApprovalItem = run) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Box item={item} />
    </QueryClientProvider>,
  );
}

test("a double click sends one decision, and its result stays", async () => {
  show();
  await userEvent.dblClick(screen.getByRole("button", { name: "Approve run" }));
  expect(await screen.findByText(/You approved this run/)).toBeTruthy();
  expect(decisions).toEqual([{ decision: "approve", comment: "" }]);
  expect(screen.getByRole("link", { name: "View run" }).getAttribute("href")).toBe("/runs/r1");
});

test("a rejection without a reason is not sent, and the comment asks for one", async () => {
  show();
  await userEvent.click(screen.getByRole("button", { name: "Reject run" }));
  expect(screen.getByText("Enter a reason for the rejection.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Comment"));
  await userEvent.keyboard("in use");
  await userEvent.click(screen.getByRole("button", { name: "Reject run" }));
  expect(await screen.findByText(/You rejected this run/)).toBeTruthy();
  expect(decisions).toEqual([{ decision: "reject", comment: "in use" }]);
});

test("the second decision shows a conflict", async () => {
  const problem = { code: "conflict", detail: "This run was already decided: it is queued." };
  answer = () => HttpResponse.json(problem, { status: 409, headers: { "content-type": "application/problem+json" } });
  show();
  await userEvent.click(screen.getByRole("button", { name: "Approve run" }));
  expect(await screen.findByText("Already decided")).toBeTruthy();
  expect(screen.getByText(problem.detail, { exact: false })).toBeTruthy();
});

test("a user who may not decide sees the reason and no buttons", () => {
  show({ ...run, you: { maySign: false, whyNot: "You have approved this run. Other people must approve it too." } });
  expect(screen.getByText("You have approved this run. Other people must approve it too.")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
