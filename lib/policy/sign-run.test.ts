import { expect, test } from "vitest";
import { whyNotSignRun } from "./signatures-needed";

const caller = { userId: "caller", canReview: true, isAgent: false };
const reviewer = { userId: "other", canReview: true, isAgent: false };
const user = { userId: "third", canReview: false, isAgent: false };

test.each([
  ["the person whose agent asked, mutating", "mutating", { ...caller, canReview: false }, false, true],
  ["a reviewer, mutating", "mutating", reviewer, false, true],
  ["a user who neither asked nor reviews", "mutating", user, false, false],
  ["an agent’s token, even of a reviewer", "mutating", { ...reviewer, isAgent: true }, true, false],
  ["who asked for a dangerous run", "dangerous", caller, false, false],
  ["who asked for a dangerous run, in solo mode", "dangerous", caller, true, true],
  ["another reviewer, dangerous", "dangerous", reviewer, false, true],
  ["another user, dangerous, also in solo mode", "dangerous", user, true, false],
] as const)("%s", (_title, runClass, signer, soloMode, allowed) => {
  expect(whyNotSignRun({ class: runClass, signer, callerId: "caller", soloMode }) === null).toBe(allowed);
});
