import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { AgentView } from "@/lib/agent/preamble/schema";
import type { AgentStepItem } from "@/lib/agent/sessions/schema";
import { HiddenSkills } from "./agent-view";
import { BudgetMeter } from "./budget-meter";
import { StepList } from "./session-page";

afterEach(cleanup);

const step: AgentStepItem = {
  ...{ id: "1", at: "2026-11-20T10:00:00.000Z", kind: "ran", outcome: "ok", detail: "commit-helper: succeeded" },
  ...{
    skill: { id: "s1", name: "commit-helper", label: "Commit helper" },
    versionDigest: null,
    tool: "commit_helper",
    runId: "r1",
  },
  durationMs: 1200,
};

it("shows the skill and run of a step, and the reason and tool of a refusal", () => {
  const reason = "“commit-helper” does not let run_command be called.";
  const refused = { ...step, id: "2", kind: "refused", outcome: "refused", detail: reason } as const;
  render(<StepList steps={[{ ...refused, skill: null, runId: null, tool: "run_command" }, step]} />);
  const [first, second] = screen.getAllByRole("listitem");
  if (!first || !second) throw new Error("both steps are to be shown");
  expect(within(first).getByText("Refused")).toBeTruthy();
  expect(within(first).getByText(reason)).toBeTruthy();
  expect(within(first).getByText("run_command")).toBeTruthy();
  expect(within(second).getByRole("link", { name: "Commit helper" }).getAttribute("href")).toBe("/skills/s1");
  expect(within(second).getByRole("link", { name: "Open run" }).getAttribute("href")).toBe("/runs/r1");
  expect(within(second).queryByText("commit_helper")).toBeNull();
  expect(within(second).getByText("1.2 s")).toBeTruthy();
});

it("shows neither name nor link of a skill that the person may not see", () => {
  render(<StepList steps={[{ ...step, runId: null, skill: { id: "s2", name: null, label: null } }]} />);
  expect(screen.getByText("a skill you do not see")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

it("links hidden skills to their Access tab", () => {
  const skills = [{ id: "s1", name: "secret", why: "The persona keeps it away: secret*." }];
  render(<HiddenSkills hidden={[{ reason: "persona", count: 3, skills }]} />);
  const link = screen.getByRole("link", { name: "secret" });
  expect(link.getAttribute("href")).toBe("/skills/s1?tab=access");
  expect(link.title).toContain("secret*");
  expect(screen.getByText("and 2 more")).toBeTruthy();
});

it("lists the skills that a client would cut off at an exceeded limit", () => {
  const line = { kept: 2, cut: [] as string[], cutCount: 0 };
  const budget: AgentView["budget"] = {
    ...{ characters: 8871, tokens: 2218, estimate: "Estimated.", window: 200_000, share: 0.01109 },
    lines: [
      { ...line, name: "2 %", unit: "tokens", limit: 4000, over: false },
      { ...line, name: "8,000", unit: "characters", limit: 8000, over: true, cut: ["last-one"], cutCount: 1 },
    ],
  };
  render(<BudgetMeter budget={budget} />);
  const [share, characters] = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(share).toBe("2 % of the window: 4,000 tokens1,782 tokens left");
  expect(characters).toContain("Over the limit: clients show 2 of 3 skills");
  expect(characters).toContain("Cut off: last-one");
});
