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

test("an agent is named with its persona and whom it acts for", () => {
  const token = { id: "t", name: "laptop" };
  expect(requesterLabel({ person: uli, token: null, persona: null })).toBe("Uli");
  expect(requesterLabel({ person: uli, token, persona: null })).toBe("laptop, for Uli");
  const persona = { id: "p", name: "Analyst", permissionMode: null };
  expect(requesterLabel({ person: uli, token, persona })).toBe("laptop as Analyst, for Uli");
});

test.each([
  [0, 1, "One person has to decide"],
  [0, 2, "2 people have to sign"],
  [1, 2, "One more person has to sign"],
  [1, 3, "2 more people have to sign"],
])("with %i of %i signatures it says “%s”", (given, needed, words) => {
  expect(missingSignaturesText({ given, needed })).toBe(words);
});

test("a first signature of two does not claim that the run starts", () => {
  const waiting = { state: "awaiting_approval" as const, approval: approval(1, 2) };
  expect(decisionResultText("approve", waiting)).toBe("Your signature counts. One more person has to sign.");
  expect(decisionResultText("approve", { state: "queued", approval: approval(2, 2) })).toContain("starts");
  expect(decisionResultText("approve", { state: "failed", approval: approval(2, 2) })).toContain("failed");
});

test("what waits no longer names who decided and why", () => {
  expect(approvalOutcomeText({ state: "rejected", approval: approval(1, 1, "reject") })).toBe(
    "Rita rejected it: not today",
  );
  expect(approvalOutcomeText({ state: "running", approval: approval(1, 1) })).toBe(
    "Rita approved it, and it has started.",
  );
  expect(approvalOutcomeText({ state: "expired", approval: approval(0, 1) })).toBe("Nobody decided in time.");
});
