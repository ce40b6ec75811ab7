import { expect, test } from "vitest";
import { approvalOutcomeText, decisionResultText, missingSignaturesText, requesterLabel } from "./approval-labels";

const uli = { id: "u", name: "Uli" };
const rita = { id: "r", name: "Rita" };
const approval = (given: number, needed: number, decision: "approve" | "reject" = "approve") => ({
  rule: "dangerous-needs-two-others",
  reason: "",
  given,
  needed,
  by:
    given === 0 ? [] : [{ person: rita, decision, comment: "not today", soloMode: false, at: "2026-01-01T00:00:00Z" }],
  sopId: null,
  requestedAt: "2026-01-01T00:00:00Z",
  expiresAt: "2026-01-02T00:00:00Z",
});

test("an agent is named with its persona and the person it acts for", () => {
  const token = { id: "t", name: "laptop" };
  expect(requesterLabel({ person: uli, token: null, persona: null })).toBe("Uli");
  expect(requesterLabel({ person: uli, token, persona: null })).toBe("laptop, for Uli");
  const persona = { id: "p", name: "Analyst", permissionMode: null };
  expect(requesterLabel({ person: uli, token, persona })).toBe("laptop as Analyst, for Uli");
});

test.each([
  [0, 1, "Needs 1 approval"],
  [0, 2, "Needs 2 approvals"],
  [1, 2, "Needs 1 more approval"],
  [1, 3, "Needs 2 more approvals"],
])("with %i of %i approvals the text is “%s”", (given, needed, words) => {
  expect(missingSignaturesText({ given, needed })).toBe(words);
});

test("the first of two approvals does not claim that the run starts", () => {
  const waiting = { state: "awaiting_approval" as const, approval: approval(1, 2) };
  expect(decisionResultText("approve", waiting)).toBe("You approved this run. Needs 1 more approval.");
  expect(decisionResultText("approve", { state: "queued", approval: approval(2, 2) })).toContain("runs once");
  expect(decisionResultText("approve", { state: "failed", approval: approval(2, 2) })).toContain("failed");
});

test("the outcome of an approval names the person and the reason", () => {
  expect(approvalOutcomeText({ state: "rejected", approval: approval(1, 1, "reject") })).toBe(
    "rejected by Rita: not today",
  );
  expect(approvalOutcomeText({ state: "running", approval: approval(1, 1) })).toBe("approved by Rita and started.");
  expect(approvalOutcomeText({ state: "expired", approval: approval(0, 1) })).toBe("expired without a decision.");
});
