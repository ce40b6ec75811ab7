import { expect, test } from "vitest";
import { SkillClass } from "@/lib/skill-format/schema";
import { highestClass, signaturesNeeded, whyNotSign } from "./signatures-needed";

test("the highest class counts, whoever named it", () => {
  expect(highestClass("safe", "dangerous", "mutating")).toBe("dangerous");
  expect(highestClass(null, undefined, "mutating")).toBe("mutating");
  expect(highestClass(null)).toBe("safe");
});

test("only dangerous versions need two people, and only without solo mode", () => {
  const table = SkillClass.options.map((name) => [signaturesNeeded(name, false), signaturesNeeded(name, true)]);
  expect(table).toEqual([
    [1, 1],
    [1, 1],
    [2, 1],
  ]);
});

const me = { userId: "me", canReview: true, isPresent: true };
const mine = { kind: "user", id: "me" } as const;
const org = { kind: "org", id: null } as const;

test.each([
  [
    "a reviewer signs what somebody else brought in",
    { highest: "dangerous", signer: me, authorId: "other", owner: org },
    true,
  ],
  [
    "a reviewer does not sign what they brought in",
    { highest: "mutating", signer: me, authorId: "me", owner: org },
    false,
  ],
  [
    "not even when it is safe, for the organisation",
    { highest: "safe", signer: me, authorId: "me", owner: org },
    false,
  ],
  [
    "an owner signs their own safe skill",
    { highest: "safe", signer: { ...me, canReview: false }, authorId: "me", owner: mine },
    true,
  ],
  [
    "but not by token",
    { highest: "safe", signer: { ...me, canReview: false, isPresent: false }, authorId: "me", owner: mine },
    false,
  ],
  [
    "and not a mutating one",
    { highest: "mutating", signer: { ...me, canReview: false }, authorId: "me", owner: mine },
    false,
  ],
  [
    "somebody without the right to review signs nothing else",
    { highest: "safe", signer: { ...me, canReview: false }, authorId: "other", owner: org },
    false,
  ],
] as const)("with solo mode off, %s", (_title, question, allowed) => {
  expect(whyNotSign({ ...question, soloMode: false }) === null).toBe(allowed);
});

test("with solo mode on, a reviewer signs what they brought in", () => {
  expect(whyNotSign({ highest: "dangerous", soloMode: true, signer: me, authorId: "me", owner: org })).toBeNull();
});
