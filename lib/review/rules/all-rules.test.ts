import { describe, expect, it } from "vitest";
import { listRules } from "../scan/main";
import { scanSkill } from "../scan/scan-skill";
import { RuleInfo, Severity } from "../scan/schema";
import { type Fixture, filesOf, readRuleFixtures } from "../scan/testing/read-fixture";
import { ALL_RULES } from "./all-rules";

const RANK = Severity.options;

/** Findings with at least the rule's own severity. */
function found(rule: { id: string; severity: Severity }, fixture: Fixture): string[] {
  const { findings } = scanSkill(filesOf(fixture));
  return findings
    .filter((finding) => finding.rule === rule.id && RANK.indexOf(finding.severity) <= RANK.indexOf(rule.severity))
    .map(({ path, line, text }) => `${path}:${line} ${text}`);
}

it("has 99 rules with unique ids and complete descriptions", () => {
  expect(new Set(ALL_RULES.map(({ id }) => id)).size).toBe(99);
  for (const rule of listRules()) expect(() => RuleInfo.parse(rule)).not.toThrow();
});

describe.each(ALL_RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  const { positive, negative } = readRuleFixtures(id);

  it("has two fixtures of each kind", () => {
    expect(positive.length).toBeGreaterThanOrEqual(2);
    expect(negative.length).toBeGreaterThanOrEqual(2);
  });

  it.each(positive)("finds %j", (fixture) => expect(found(rule, fixture)).not.toEqual([]));
  it.each(negative)("leaves alone %j", (fixture) => expect(found(rule, fixture)).toEqual([]));
});
