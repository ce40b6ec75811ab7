import fc from "fast-check";
import { expect, test } from "vitest";
import { GSV_CAPABILITIES } from "@/lib/skill-format/dialects/tables";
import { NO_REQUIREMENTS } from "@/lib/skill-format/schema";
import { HARMLESS_ENV, WorkerAllowance } from "../worker-allowance";
import { type JudgedSkill, judgeSkill, type OnlineWorker } from "./judge-skill";
import { EligibilityPolicy } from "./schema";

const policy = (entries: EligibilityPolicy["entries"] = {}, config = {}) =>
  EligibilityPolicy.parse({ entries, config });
const worker = (name: string, offers: Partial<OnlineWorker["offers"]> = {}, os = "linux"): OnlineWorker => ({
  name,
  os,
  offers: { capabilities: [], bins: [], env: [], ...offers },
});
const skill = (
  more: Partial<JudgedSkill> = {},
  requirements: Partial<JudgedSkill["requirements"]> = {},
): JudgedSkill => ({
  ...{ name: "Mail", folder: "mail", location: "skills/mail/SKILL.md", source: "acme/skills@main:mail" },
  ...{ isEnabled: true, isListed: true, isApproved: true, always: false },
  requirements: { ...NO_REQUIREMENTS, ...requirements },
  ...more,
});

const allowing = (env: string[]) => WorkerAllowance.parse({ env: [...HARMLESS_ENV, ...env] });

/** Returns the first stage that fails, and its reason. */
function verdict(judged: JudgedSkill, rules = policy(), workers: OnlineWorker[] = []): string {
  const failed = judgeSkill(judged, rules, workers).stages.find(({ passed }) => !passed);
  return failed === undefined ? "eligible" : `${failed.stage}: ${failed.reason}`;
}

test("switched off, unlisted, unapproved and hidden each have their reason, in the first stage", () => {
  expect(verdict(skill())).toBe("eligible");
  expect(verdict(skill({ isEnabled: false }))).toBe("switch: It is switched off.");
  expect(verdict(skill({ isListed: false, isEnabled: false }))).toContain("blocked");
  expect(verdict(skill({ isApproved: false }))).toContain("approved");
  expect(verdict(skill(), policy({ Mail: { enabled: false } }))).toContain("the name “Mail”");
});

test("an override is found by name, then folder, then location, and by nothing inherited", () => {
  const hide = { enabled: false };
  for (const location of ["acme/skills@main:mail", "skills/mail/SKILL.md", "skills/mail/skill.json"]) {
    const entries = { [location]: hide, mail: { enabled: true } };
    expect(verdict(skill(), policy(entries))).toBe("eligible");
    expect(verdict(skill({ folder: "other" }), policy(entries))).toContain(`the location “${location}”`);
  }
  const own = skill({ folder: "other", location: "agents/p1/skills/mail/SKILL.md" });
  expect(verdict(own, policy({ "skills/mail/SKILL.md": hide }))).toBe("eligible");
  expect(verdict(own, policy({ "agents/p1/skills/mail/SKILL.md": hide }))).toContain("location");
  expect(verdict(skill(), policy({ mail: { enabled: false }, Mail: {} }))).toBe("eligible");
  expect(verdict(skill({ name: "constructor", folder: "toString", location: "valueOf" }), policy())).toBe("eligible");
});

test("unreadable requirements exclude the skill, even with always by its author", () => {
  expect(verdict(skill({}, { invalid: true }))).toContain("requirements: Not met");
  expect(verdict(skill({}, { capabilities: ["shell.exce"] }), policy(), [worker("w")])).toContain("shell.exce");
  expect(verdict(skill({ always: true }, { invalid: true }))).toContain("requirements:");
  expect(verdict(skill({}, { invalid: true }), policy({ mail: { always: true } }))).toBe("eligible");
});

test("always excuses unknown capability ids (GSV), but no unreadable requirements", () => {
  const ids = { capabilities: ["shell.exce"] };
  expect(verdict(skill({ always: true }, ids))).toBe("eligible");
  expect(verdict(skill({ always: true }, { unknown: ["hostRoles"] }))).toContain("requirements:");
  expect(judgeSkill(skill({ always: true }, ids), policy(), []).stages[1]?.reason).toBe(
    "It is always offered, although shell.exce: no such capability is known.",
  );
  expect(verdict(skill({ always: true }, ids), policy({ Mail: { always: false } }))).toContain("requirements:");
  expect(verdict(skill({ always: true }, { ...ids, invalid: true }))).toContain("requirements:");
});

test("an unknown requirement excludes the skill, and an override of the capabilities does not change that", () => {
  const asks = skill({}, { unknown: ["hostRoles"], capabilities: ["shell.exce"] });
  expect(verdict(asks)).toBe(
    "requirements: Not met: shell.exce: no such capability is known; hostRoles: no such requirement is known.",
  );
  expect(verdict(asks, policy({ mail: { requires: { capabilities: [] } } }))).toContain("hostRoles");
  expect(verdict({ ...asks, always: true })).toContain("hostRoles");
  expect(verdict(asks, policy({ mail: { always: true } }))).toBe("eligible");
});

test("one online worker has to have all of it", () => {
  const asks = skill({}, { capabilities: ["shell.exec", "text.search"], bins: ["jq"] });
  expect(verdict(asks)).toContain("no worker is online");
  const split = [
    worker("a", { capabilities: ["shell.exec"], bins: ["jq"] }),
    worker("b", { capabilities: ["text.search"] }),
  ];
  expect(verdict(asks, policy(), split)).toBe("runtime: Missing: text.search (a does not declare it).");
  const whole = worker("c", { capabilities: ["shell.exec", "text.search"], bins: ["jq"] });
  expect(verdict(asks, policy(), [...split, whole])).toBe("eligible");
});

test("system, programs, variables and settings are asked of the worker and the admin", () => {
  const on = (requirements: Partial<JudgedSkill["requirements"]>, rules = policy()) =>
    verdict(skill({}, requirements), rules, [
      worker("w", { bins: ["rg"], env: ["TOKEN"], allows: allowing(["TOKEN"]) }),
    ]);
  expect(on({ os: ["macOS"] })).toContain("w runs linux");
  expect(on({ os: ["Darwin", "Linux"] })).toBe("eligible");
  expect(on({ anyBins: ["ag", "rg"] })).toBe("eligible");
  expect(on({ anyBins: ["ag"] })).toContain("has none of them");
  expect(on({ env: ["TOKEN", "KEY"] })).toContain("KEY");
  expect(on({ config: ["mail.host"] })).toContain("no admin has set it");
  for (const host of ["x", 0, [1], { a: 1 }, true])
    expect(on({ config: ["mail.host"] }, policy({}, { mail: { host } }))).toBe("eligible");
  for (const host of ["", [], {}, false, null])
    expect(on({ config: ["mail.host"] }, policy({}, { mail: { host } }))).toContain("Missing");
  expect(on({ config: ["__proto__.x", "constructor"] })).toContain("Missing");
});

test("a variable that the worker has but does not allow counts as missing", () => {
  const has = { env: ["TOKEN", "LANG"] };
  const on = (more: Partial<OnlineWorker["offers"]>) =>
    verdict(skill({}, { env: ["LANG", "TOKEN"] }), policy(), [worker("w", { ...has, ...more })]);
  const closed = "runtime: Missing: TOKEN (w does not allow it: SKILLGATE_WORKER_ENV).";
  expect(on({})).toBe(closed);
  expect(on({ allows: allowing([]) })).toBe(closed);
  expect(on({ allows: allowing(["TOK*"]) })).toBe("eligible");
});

test("always excuses missing runtime requirements; an admin can override it and the capabilities, also with none", () => {
  const asks = skill({ always: true }, { capabilities: ["shell.exec"] });
  expect(verdict(asks)).toBe("eligible");
  expect(verdict(asks, policy({ mail: { always: false } }))).toContain("shell.exec");
  expect(verdict(skill({}, { capabilities: ["nonsense"] }), policy({ mail: { requires: { capabilities: [] } } }))).toBe(
    "eligible",
  );
});

test("more worker features never exclude a skill, and more requirements never include one", () => {
  const ids = fc.subarray([...GSV_CAPABILITIES]);
  fc.assert(
    fc.property(ids, ids, ids, (required, had, more) => {
      const before = verdict(skill({}, { capabilities: required }), policy(), [worker("w", { capabilities: had })]);
      const after = verdict(skill({}, { capabilities: required }), policy(), [
        worker("w", { capabilities: [...had, ...more] }),
      ]);
      if (before === "eligible") expect(after).toBe("eligible");
      const stricter = verdict(skill({}, { capabilities: [...required, ...more] }), policy(), [
        worker("w", { capabilities: had }),
      ]);
      if (before !== "eligible") expect(stricter).not.toBe("eligible");
    }),
  );
});
