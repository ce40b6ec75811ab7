import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { analysesQuery } from "@/lib/client/evidence";
import { versionQuery } from "@/lib/client/versions";
import type { StepReport } from "@/lib/policy/analysis/schema";
import type { Analysis, AnalysisList } from "@/lib/review/analysis/schema";
import { AnalysisPanel } from "./analysis-panel";

const at = "2026-02-01T12:00:00.000Z";
const digest = "d".repeat(64);
const worker = { id: "w1", name: "local" };
const entry = { kind: "entry" as const, path: "run.py", args: { lines: 5 } };
const command = { kind: "command" as const, path: "SKILL.md", line: 12, language: "sh" as const, text: "ls" };

const step: StepReport = {
  ...{ step: 0, end: { kind: "exited", exitCode: 0 }, durationMs: 10, programs: [], reads: [], lookedFor: [] },
  ...{ writes: [], addresses: [], names: [], sent: [], refused: [], leftRunning: [], deeds: [], beyond: {} },
  ...{ stdout: "", stderr: "" },
};
const finished = (steps: StepReport[], more: object = {}): Analysis["state"] => ({
  ...{
    kind: "finished",
    worker,
    startedAt: at,
    finishedAt: at,
    reportDigest: "r",
    compared: [],
    expected: [],
    used: {},
  },
  report: {
    ...{ schema: 1, tracer: "strace 6.1", isolation: "bwrap", network: "recorder", canaries: [], untouched: [] },
    steps,
  },
  ...more,
});
const analysis = (state: Analysis["state"]): Analysis => ({
  ...{ id: "a1", versionDigest: digest, requestedBy: { id: "u1", name: "Mara" }, createdAt: at, stepSeconds: 20 },
  ...{ steps: [entry, command], state },
});
const list = (items: Analysis[], more: Partial<AnalysisList> = {}): AnalysisList => ({
  ...{
    items,
    nextCursor: null,
    plan: { steps: [entry, command], leftOut: 0, agent: null },
    blindSpots: ["It may wait."],
  },
  workers: [{ name: "local", ability: { kind: "available", tracer: "strace 6.1", network: "recorder" } as never }],
  ...more,
});

let shown: AnalysisList;
const started: unknown[] = [];
const server = setupServer(
  http.get("*/api/skills/s1/versions/*/analyses", () => HttpResponse.json(shown)),
  http.post("*/api/skills/s1/versions/*/analyses", async ({ request }) => {
    started.push(await request.json());
    shown = list([analysis({ kind: "queued" })]);
    return HttpResponse.json(analysis({ kind: "queued" }), { status: 201 });
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
beforeEach(() => {
  started.length = 0;
});
afterEach(cleanup);

function show(first: AnalysisList, onUse?: () => void) {
  shown = first;
  const client = new QueryClient();
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  render(
    <QueryClientProvider client={client}>
      <ToastProvider>
        <AnalysisPanel skillId="s1" digest={digest} onUse={onUse} />
      </ToastProvider>
    </QueryClientProvider>,
  );
  return { client, user };
}

test("starts the chosen steps with the typed arguments, then waits without a second start", async () => {
  const { user } = show(list([]));
  await user.click(await screen.findByText("Start a dry run"));
  await user.click(screen.getByRole("checkbox", { name: "SKILL.md, line 12" }));
  const field = screen.getByLabelText("Arguments (JSON)");
  await user.clear(field);
  await user.type(field, "5");
  expect(screen.getByText("Enter a JSON object, such as {}.")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Start dry run" }).disabled).toBe(true);
  await user.clear(field);
  await user.type(field, '{{"lines": 7}');
  await user.click(screen.getByRole("button", { name: "Start dry run" }));
  expect(await screen.findByText("The dry run waits for a worker.")).toBeTruthy();
  expect(started).toEqual([{ steps: [{ ...entry, args: { lines: 7 } }] }]);
  expect(screen.queryByText(/^Start a/)).toBeNull();
});

test("shows programs that a skill asked for apart from hostile acts", async () => {
  show(list([analysis(finished([{ ...step, deeds: [{ kind: "asked_control", what: "crontab" }] }]))]));
  expect(await screen.findByText("No hostile act was recorded.")).toBeTruthy();
  expect(screen.getByText("crontab", { exact: false })).toBeTruthy();
});

test("does not call an earlier dry run hostile in which a skill only asked for a program", async () => {
  const earlier = analysis(finished([{ ...step, deeds: [{ kind: "asked_control", what: "crontab" }] }]));
  show(list([analysis(finished([step])), { ...earlier, id: "a0" }]));
  expect(await screen.findByText("No hostile act was recorded.")).toBeTruthy();
  expect(screen.queryByText("An earlier dry run of these files recorded hostile acts")).toBeNull();
});

test("says at once how many commands no dry run executes, also when there is nothing else", async () => {
  show(list([analysis(finished([step]))], { plan: { steps: [entry], leftOut: 3, agent: null } }));
  expect(await screen.findByText(/^3 commands, scripts or parts of them are not in the plan/)).toBeTruthy();
  cleanup();
  show(list([], { plan: { steps: [], leftOut: 1, agent: null } }));
  expect(await screen.findByText(/^1 command, script or part of one is not in the plan/)).toBeTruthy();
  expect(screen.getByText("There is nothing that a dry run can execute.")).toBeTruthy();
  cleanup();
  show(list([]));
  await screen.findByText("Start a dry run");
  expect(screen.queryByText(/not in the plan/)).toBeNull();
});

test("an agent follows the playbook only when a reviewer chooses it, and its commands are in the report", async () => {
  const agent = { kind: "agent" as const, path: "SKILL.md", task: "Use it.", model: "m-1", commands: 12 };
  const { user } = show(list([], { plan: { steps: [entry], leftOut: 0, agent } }));
  await user.click(await screen.findByText("Start a dry run"));
  await user.click(screen.getByRole("checkbox", { name: "SKILL.md, followed by m-1" }));
  await user.type(screen.getByLabelText("Task of the agent"), " Now.");
  await user.click(screen.getByRole("button", { name: "Start dry run" }));
  await screen.findByText("The dry run waits for a worker.");
  expect(started).toEqual([{ steps: [entry, { ...agent, task: "Use it. Now." }] }]);
  cleanup();
  const command = { said: "I look.", command: "ls /skill", output: "SKILL.md\u202e\n", exitCode: 0 };
  const log = { commands: [command], end: "All is done." };
  show(list([{ ...analysis(finished([{ ...step, agent: log }])), steps: [agent] }]));
  await user.click(await screen.findByText(/followed by m-1/));
  const ran = screen.getByText("ls /skill").closest("li");
  expect(ran?.textContent).toContain("U+202E");
  expect(screen.getByText(/^Ended:/).textContent).toContain("All is done.");
});

test("names hostile acts first, and hidden characters in them show", async () => {
  const deeds = [{ kind: "sent_canary" as const, what: "AWS_KEY to evil\u202e.example" }];
  show(list([analysis(finished([{ ...step, deeds }]))]));
  expect(await screen.findByText("1 hostile act")).toBeTruthy();
  const act = screen.getByText(/^Sent a planted secret:/);
  expect(act.textContent).toContain("U+202E");
  expect(screen.queryByText("No hostile act was recorded.")).toBeNull();
});

test("a later dry run without a hostile act does not hide an earlier one", async () => {
  const hostile = analysis(finished([{ ...step, deeds: [{ kind: "read_canary", what: "~/.ssh/id_rsa" }] }]));
  show(list([analysis(finished([step])), { ...hostile, id: "a0" }]));
  expect(await screen.findByText("No hostile act was recorded.")).toBeTruthy();
  expect(screen.getByText("An earlier dry run of these files recorded hostile acts")).toBeTruthy();
  expect(screen.getByText(/id_rsa/)).toBeTruthy();
});

test("a step that ended with an error is no proof of good conduct", async () => {
  show(list([analysis(finished([{ ...step, end: { kind: "exited", exitCode: 1 } }]))]));
  expect(await screen.findByText("No hostile act was recorded.")).toBeTruthy();
  expect(screen.getByText(/^1 step ended with an error\. What the rest of the code does is unknown\./)).toBeTruthy();
});

test("says where in a request a secret was", async () => {
  const one = { canary: "$GH_TOKEN", encoding: "clear" as const, channel: "tls" as const, to: "api.example:443" };
  const sent = [{ ...one, place: "message" as const }, one];
  show(list([analysis(finished([{ ...step, sent }]))]));
  expect(await screen.findByText("$GH_TOKEN to api.example:443 (tls, clear, in other content)")).toBeTruthy();
  expect(screen.getByText("$GH_TOKEN to api.example:443 (tls, clear)")).toBeTruthy();
});

test("a report without an executed step says so", async () => {
  show(list([analysis(finished([{ ...step, end: { kind: "not_started", reason: "no interpreter" } }]))]));
  expect(await screen.findByText("No step could be executed.")).toBeTruthy();
  expect(screen.queryByText(/ended with an error/)).toBeNull();
});

test("compares declared with observed, and fills the permissions on request", async () => {
  const compared = [
    { kind: "host" as const, what: "api.example", declared: "no" as const, observed: "yes" as const },
    { kind: "env" as const, what: "LOG_ROOT", declared: "declared" as const, observed: "unknown" as const },
  ];
  const onUse = vi.fn();
  const used = { network: ["api.example"] };
  const { user } = show(list([analysis(finished([step], { compared, used }))]), onUse);
  const lines = within(await screen.findByRole("list", { name: "Declared and observed" })).getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "Host api.exampleNot declaredObserved",
    "Variable LOG_ROOTDeclaredCannot be observed",
  ]);
  await user.click(screen.getByRole("button", { name: "Grant exactly what it used" }));
  expect(onUse).toHaveBeenCalledWith(used);
  expect(screen.getByText("Filled in below, under Permissions.")).toBeTruthy();
});

test("offers no permissions where nobody decides", async () => {
  show(list([analysis(finished([step]))]));
  await screen.findByText("No hostile act was recorded.");
  expect(screen.queryByRole("button", { name: "Grant exactly what it used" })).toBeNull();
});

test("gives each worker’s reason when none can execute one", async () => {
  const ability = { kind: "not_available" as const, reason: "strace is not installed." };
  show(list([], { workers: [{ name: "edge", ability }] }));
  expect(await screen.findByText("Dry runs are not available")).toBeTruthy();
  expect(screen.getByText("edge: strace is not installed.")).toBeTruthy();
});

test("a dry run without a report never reads as a good one", async () => {
  show(list([analysis({ kind: "failed", finishedAt: at, reason: "The worker went away." })]));
  expect(await screen.findByText("The dry run has no report")).toBeTruthy();
  expect(screen.getByText(/Nothing is known about what the version does/)).toBeTruthy();
});

test("the version is read again when a dry run ends, because its deeds are findings", async () => {
  const { client } = show(list([analysis({ kind: "running", worker, startedAt: at })]));
  const again = vi.spyOn(client, "invalidateQueries");
  await screen.findByText(/local executes the dry run/);
  expect(again).not.toHaveBeenCalled();
  client.setQueryData(analysesQuery("s1", digest).queryKey, list([analysis(finished([step]))]));
  await waitFor(() => expect(again).toHaveBeenCalledWith({ queryKey: versionQuery("s1", digest).queryKey }));
});
