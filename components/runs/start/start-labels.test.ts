import { expect, test } from "vitest";
import type { Me } from "@/lib/auth/schema";
import { startOutcome, startText } from "./run-terms";

type Runs = NonNullable<Me["rights"]>["runs"];

const runs: Runs = {
  safe: { outcome: "start", rule: "safe-starts", reason: "" },
  mutating: { outcome: "confirm", rule: "mutating-needs-confirmation", reason: "" },
  dangerous: { outcome: "park", rule: "dangerous-needs-two-others", reason: "" },
};
const me = (other: Partial<Runs> = {}) =>
  ({ rights: { via: "session", scopes: [], persona: null, runs: { ...runs, ...other } } }) as unknown as Me;

test.each([
  ["safe", "Runs immediately."],
  ["mutating", "Asks you to confirm the arguments first."],
  ["dangerous", "Waits for two other people to approve it, then starts automatically."],
] as const)("a %s skill: “%s”", (runClass, words) => {
  expect(startText(me(), runClass)).toBe(words);
});

test("a refusal gives its reason, and nothing is shown while loading", () => {
  const mutating = { outcome: "refuse" as const, rule: "persona-mode", reason: "the persona is read-only." };
  expect(startText(me({ mutating }), "mutating")).toBe("Refused: the persona is read-only.");
  expect(startText(undefined, "safe")).toBeNull();
  expect(startOutcome(undefined, "safe")).toBeNull();
});
