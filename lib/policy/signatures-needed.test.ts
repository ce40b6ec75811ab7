import { expect, test } from "vitest";
import { SkillClass } from "@/lib/skill-format/schema";
import type { ExtraPermission } from "./plain-sandbox";
import { highestClass, type SigningPolicy, signaturesNeeded, whyNotSign, whyNotSignRun } from "./signatures-needed";

const team: SigningPolicy = {
  soloMode: false,
  signaturesForDangerous: 2,
  signaturesForMutating: 1,
  ownerMayApproveSafe: true,
};
const solo: SigningPolicy = { ...team, soloMode: true };

test("the highest class counts, from any source", () => {
  for (const declared of [null, ...SkillClass.options]) {
    for (const proposed of SkillClass.options) {
      for (const chosen of SkillClass.options) {
        const named = [declared, proposed, chosen];
        const expected = named.includes("dangerous") ? "dangerous" : named.includes("mutating") ? "mutating" : "safe";
        expect(highestClass(...named)).toBe(expected);
      }
    }
  }
});

test.each([
  ["safe", team, 1],
  ["mutating", team, 1],
  ["dangerous", team, 2],
  ["safe", solo, 1],
  ["mutating", solo, 1],
  ["dangerous", solo, 1],
  ["mutating", { ...team, signaturesForMutating: 2 }, 2],
  ["dangerous", { ...team, signaturesForDangerous: 3 }, 3],
  ["safe", { ...team, signaturesForMutating: 3, signaturesForDangerous: 3 }, 1],
] as const)("a %s version under %o takes %i", (name, policy, needed) => {
  expect(signaturesNeeded(name, policy)).toBe(needed);
});

/** Who may sign, by class, for each kind of person: r reviewer, i importer, o owner, t by token. */
const PEOPLE = {
  "another reviewer": { canReview: true, isImporter: false, isOwner: false },
  "the reviewer who imported it": { canReview: true, isImporter: true, isOwner: false },
  "the reviewer who imported it for themselves": { canReview: true, isImporter: true, isOwner: true },
  "its owner, a user": { canReview: false, isImporter: true, isOwner: true },
  "its owner, when another person imported it": { canReview: false, isImporter: false, isOwner: true },
  "another user": { canReview: false, isImporter: false, isOwner: false },
} as const;

test.each<[keyof typeof PEOPLE, SigningPolicy, string]>([
  ["another reviewer", team, "safe mutating dangerous"],
  ["the reviewer who imported it", team, ""],
  ["the reviewer who imported it for themselves", team, "safe"],
  ["its owner, a user", team, "safe"],
  ["its owner, when another person imported it", team, "safe"],
  ["another user", team, ""],
  ["its owner, a user", { ...team, ownerMayApproveSafe: false }, ""],
  ["the reviewer who imported it for themselves", { ...team, ownerMayApproveSafe: false }, ""],
  ["another reviewer", solo, "safe mutating dangerous"],
  ["the reviewer who imported it", solo, "safe mutating dangerous"],
  ["its owner, a user", solo, "safe"],
  ["another user", solo, ""],
])("%s, under %o, may sign: %s", (who, policy, expected) => {
  const { canReview, isImporter, isOwner } = PEOPLE[who];
  const ask = (highest: SkillClass, isPresent: boolean, beyond: ExtraPermission[] = []) =>
    whyNotSign({
      highest,
      policy,
      signer: { userId: "me", canReview, isPresent },
      authorIds: isImporter ? ["me"] : ["other"],
      owner: isOwner ? { kind: "user", id: "me" } : { kind: "org", id: null },
      beyond,
      isPublic: false,
    }) === null;
  expect(SkillClass.options.filter((name) => ask(name, true)).join(" ")).toBe(expected);
  // An owner cannot sign by token; only the right to review counts.
  if (!canReview) expect(SkillClass.options.filter((name) => ask(name, false))).toEqual([]);
  // Beyond the plain sandbox, owners sign only as reviewers in solo mode.
  const alone = canReview && policy.soloMode;
  if (isOwner) expect(ask("safe", true, [{ what: "the network", from: "decision" }])).toBe(alone);
});

test("the refusal lists every reason why another person has to sign", () => {
  const question = {
    highest: "mutating" as const,
    policy: { ...team, ownerMayApproveSafe: false },
    signer: { userId: "me", canReview: true, isPresent: false },
    owner: { kind: "user" as const, id: "me" },
    authorIds: ["me"],
    beyond: [{ what: "the network", from: "decision" as const }],
    isPublic: true,
  };
  const reason = whyNotSign(question) ?? "";
  expect(reason).toMatch(
    /^A reviewer other than you must approve it, because it is mutating, and it gets the network, and /,
  );
  for (const words of ["it is public", "Owners approve their own safe skills", "a token cannot"])
    expect(reason).toContain(words);
  expect(whyNotSign({ ...question, policy: solo })).toBeNull();
});

test("a reviewer signs for an owner, also when another person supplied the files, and never for themselves", () => {
  const question = {
    highest: "safe" as const,
    policy: team,
    signer: { userId: "me", canReview: true, isPresent: true },
    owner: { kind: "user" as const, id: "me" },
    authorIds: ["other"],
    beyond: [{ what: "the network", from: "decision" as const }],
    isPublic: false,
  };
  expect(whyNotSign(question)).toBe("A reviewer other than you must approve it, because it gets the network.");
  expect(whyNotSign({ ...question, owner: { kind: "user", id: "other" } })).toBeNull();
});

test("a submitter counts like an importer", () => {
  const question = {
    highest: "mutating" as const,
    policy: team,
    signer: { userId: "me", canReview: true, isPresent: true },
    owner: { kind: "org" as const, id: null },
    beyond: [],
    isPublic: false,
  };
  expect(whyNotSign({ ...question, authorIds: ["author", "me"] })).toContain("Another reviewer must approve it");
  expect(whyNotSign({ ...question, authorIds: ["author", "submitter"] })).toBeNull();
});

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
