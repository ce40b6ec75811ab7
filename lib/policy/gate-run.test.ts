import { expect, test } from "vitest";
import type { SkillClass } from "@/lib/skill-format/schema";
import {
  assertRunAllowed,
  confirmsStep,
  coverStep,
  gateRun,
  type PersonaPolicy,
  type PolicyDecision,
  type PolicyRule,
} from "./gate-run";
import type { PermissionMode } from "./schema";

const skill = { name: "csv-report", slug: "csv-report", toolName: "csv_report" };
const agent = (permissionMode: PermissionMode, lists: Partial<PersonaPolicy> = {}): PersonaPolicy => ({
  name: "Analyst",
  permissionMode,
  allow: [],
  deny: [],
  ...lists,
});
const [readOnly, confirming, dualSign] = [
  agent("read-only"),
  agent("mutating-with-confirm"),
  agent("dual-sign-required"),
] as const;

type Case = [
  string,
  SkillClass,
  PersonaPolicy | null,
  { confirmed?: boolean; soloMode?: boolean },
  string,
  PolicyRule,
  number,
];
const CASES: Case[] = [
  ["a safe run of a person", "safe", null, {}, "start", "safe-starts", 0],
  ["a mutating run, not confirmed", "mutating", null, {}, "confirm", "mutating-needs-confirmation", 0],
  ["a mutating run, confirmed", "mutating", null, { confirmed: true }, "start", "mutating-confirmed", 0],
  ["a dangerous run", "dangerous", null, { confirmed: true }, "park", "dangerous-needs-two-others", 2],
  ["a dangerous run in solo mode", "dangerous", null, { soloMode: true }, "confirm", "dangerous-in-solo-mode", 0],
  [
    "a dangerous run in solo mode, confirmed",
    "dangerous",
    null,
    { soloMode: true, confirmed: true },
    "start",
    "dangerous-in-solo-mode",
    0,
  ],
  ["a reading agent, safe", "safe", readOnly, {}, "start", "safe-starts", 0],
  ["a reading agent, mutating", "mutating", readOnly, { confirmed: true }, "refuse", "persona-mode", 0],
  ["a reading agent, dangerous", "dangerous", readOnly, { soloMode: true }, "refuse", "persona-mode", 0],
  ["an agent with confirmation, safe", "safe", confirming, {}, "start", "safe-starts", 0],
  ["an agent with confirmation, mutating", "mutating", confirming, {}, "park", "agent-cannot-confirm", 1],
  ["an agent that confirms", "mutating", confirming, { confirmed: true }, "park", "agent-cannot-confirm", 1],
  ["an agent with confirmation, dangerous", "dangerous", confirming, {}, "refuse", "persona-mode", 0],
  ["an agent with two signatures, mutating", "mutating", dualSign, {}, "park", "agent-cannot-confirm", 1],
  ["an agent with two signatures, dangerous", "dangerous", dualSign, {}, "park", "dangerous-needs-two-others", 2],
  [
    "an agent with two signatures in solo mode",
    "dangerous",
    dualSign,
    { soloMode: true, confirmed: true },
    "park",
    "dangerous-in-solo-mode",
    1,
  ],
  ["a denied skill", "safe", agent("read-only", { allow: ["*"], deny: ["csv*"] }), {}, "refuse", "persona-deny", 0],
  ["a skill not on the list", "safe", agent("read-only", { allow: ["pdf*"] }), {}, "refuse", "persona-allow", 0],
];

test.each(CASES)("%s", (_title, runClass, persona, { confirmed = false, soloMode = false }, outcome, rule, needed) => {
  const decision = gateRun({ class: runClass, persona, confirmed, soloMode, skill });
  expect(decision).toMatchObject({ outcome, rule, signatures: needed });
  expect(decision.reason).toContain("csv-report");
});

test("a token whose persona is gone runs nothing", () => {
  const decision = gateRun({ class: "safe", persona: "missing", confirmed: true, soloMode: true, skill });
  expect(decision).toMatchObject({ outcome: "refuse", rule: "persona-missing" });
});

test("a refusal names its rule, a missing confirmation asks for it", () => {
  const ask = (persona: PersonaPolicy | null) =>
    assertRunAllowed(gateRun({ class: "mutating", persona, confirmed: false, soloMode: false, skill }));
  expect(() => ask(readOnly)).toThrow(expect.objectContaining({ code: "forbidden", rule: "persona-mode" }));
  expect(() => ask(null)).toThrow(expect.objectContaining({ code: "confirmation_required" }));
  expect(() => ask(confirming)).not.toThrow();
});

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
