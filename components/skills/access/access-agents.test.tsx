import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import type { SkillAccess, Viewer } from "@/lib/skills/access/schema";
import { AccessAgents } from "./access-agents";

afterEach(cleanup);

const viewer = (name: string, failed: string | null): Viewer => ({
  ...{ kind: "agent", id: name, name, person: "Aiko", sees: failed === null },
  persona: { id: "p", name: "Support", permissionMode: "read-only" },
  reason: failed ?? "The skill is offered to this agent.",
  stages: [
    { stage: "reach", passed: true, reason: "The skill is in one of the agent’s scopes." },
    { stage: "persona", passed: failed === null, reason: failed ?? "“Support” allows it." },
    { stage: "switch", passed: failed === null ? true : null, reason: "Not looked at." },
  ],
  run: { outcome: "start", reason: "“csv-summary” is safe: it runs immediately." },
});

const access = (viewers: Viewer[], more = 0) => ({ viewers, more }) as SkillAccess;

it("shows for each agent whether it sees the skill, the reason, and every check when expanded", async () => {
  const user = userEvent.setup();
  const denied = "The persona “Support” keeps it away: its deny list names “x-*”.";
  render(<AccessAgents access={access([viewer("laptop", null), viewer("desk", denied)], 3)} />);
  expect(screen.getByText("1 of 2 agents can use this skill")).toBeTruthy();
  expect(screen.getByText("3 more agents not listed.")).toBeTruthy();
  const [sees, doesNot] = screen.getAllByRole("listitem").filter((item) => item.querySelector("details"));
  if (!sees || !doesNot) throw new Error("there are two agents");
  expect(within(sees).getByText(/Sees this skill/)).toBeTruthy();
  expect(within(sees).getByText(/Run requests/)).toBeTruthy();
  expect(within(doesNot).getByText(/Does not see this skill/)).toBeTruthy();
  expect(within(doesNot).queryByText(/Run requests/)).toBeNull();
  const details = doesNot.querySelector("details");
  expect(details?.open).toBe(false);
  await user.click(within(doesNot).getByText("desk"));
  expect(details?.open).toBe(true);
  expect(within(doesNot).getByRole("img", { name: "Not checked", hidden: true })).toBeTruthy();
});

it("explains agents when there are none", () => {
  render(<AccessAgents access={access([])} />);
  expect(screen.getByText("No agents yet")).toBeTruthy();
});
