import { expect, test } from "vitest";
import type { PolicyDecision } from "./gate-run";
import { confirmsStep, coverStep } from "./gate-run";

const decisionOf = (outcome: PolicyDecision["outcome"]): PolicyDecision => ({
  outcome,
  rule: "agent-cannot-confirm",
  reason: "",
  signatures: 1,
});

test("the confirmation of a pipeline covers its mutating steps, for people and for agents", () => {
  for (const outcome of ["park", "confirm"] as const) {
    expect(coverStep(decisionOf(outcome), "mutating", "mutating")).toMatchObject({ outcome: "start", signatures: 0 });
    expect(coverStep(decisionOf(outcome), "mutating", "dangerous").outcome).toBe("start");
  }
});

test("a dangerous step keeps its signatures, and a safe pipeline covers no step", () => {
  expect(coverStep(decisionOf("park"), "dangerous", "dangerous").outcome).toBe("park");
  expect(coverStep(decisionOf("confirm"), "mutating", "safe").outcome).toBe("confirm");
});

test("a refused step stays refused", () => {
  expect(coverStep(decisionOf("refuse"), "mutating", "mutating").outcome).toBe("refuse");
});

test("a confirmation reaches as far as the class that was confirmed", () => {
  expect(confirmsStep("mutating", "mutating")).toBe(true);
  expect(confirmsStep("mutating", "dangerous")).toBe(false);
  expect(confirmsStep("dangerous", "dangerous")).toBe(true);
  expect(confirmsStep("safe", "safe")).toBe(false);
});
