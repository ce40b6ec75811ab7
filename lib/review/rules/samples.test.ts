import { describe, expect, it } from "vitest";
import { scanSkill } from "../scan/scan-skill";
import { type Fixture, filesOf, readSamples } from "../scan/testing/read-fixture";

function strongFindings(fixture: Fixture): string[] {
  const { findings } = scanSkill(filesOf(fixture));
  return findings
    .filter(({ severity }) => severity === "critical" || severity === "high")
    .map(({ severity, rule, path, line, text }) => `${severity} ${rule} ${path}:${line} ${text}`);
}

describe("malicious samples have critical or high findings", () => {
  it.each(Object.entries(readSamples("malicious.json")))("%s", (_name, fixture) => {
    expect(strongFindings(fixture)).not.toEqual([]);
  });
});

describe("ordinary samples have none", () => {
  it.each(Object.entries(readSamples("ordinary.json")))("%s", (_name, fixture) => {
    expect(strongFindings(fixture)).toEqual([]);
  });
});
