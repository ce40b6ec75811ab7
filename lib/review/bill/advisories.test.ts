import { expect, test } from "vitest";
import { compareVersions, findVulnerabilities, indexAdvisories, parseAdvisories } from "./advisories";
import type { NamedPackage } from "./schema";

const record = (more: object) => ({
  id: "GHSA-aaaa-bbbb-cccc",
  aliases: ["CVE-2026-0001"],
  summary: "Reads any file.",
  affected: [
    {
      package: { ecosystem: "PyPI", name: "Py_YAML" },
      ranges: [
        {
          type: "ECOSYSTEM",
          events: [{ introduced: "0" }, { fixed: "5.4" }, { introduced: "6.0rc1" }, { last_affected: "6.1" }],
        },
      ],
      versions: ["9.9"],
    },
  ],
  ...more,
});
const index = indexAdvisories(parseAdvisories(JSON.stringify(record({}))));
const named = (version: string | null, name = "py-yaml"): NamedPackage => ({
  ...{ ecosystem: "PyPI", name, version, asked: name, path: "requirements.txt", line: 1 },
});

test.each([
  ["0.1", "yes", "5.4"],
  ["5.3.9", "yes", "5.4"],
  ["5.4", null, null],
  ["5.10", null, null],
  ["6.0rc1", "yes", null],
  ["6.0", "yes", null],
  ["6.1", "yes", null],
  ["6.1.0", "yes", null],
  ["6.1.1", null, null],
  ["9.9.0", "yes", null],
])("version %s is affected: %s, fixed in %s", (version, affected, fixedIn) => {
  const found = findVulnerabilities(named(version), index);
  expect(found.map((row) => [row.affected, row.fixedIn])).toEqual(affected === null ? [] : [[affected, fixedIn]]);
});

test("an unpinned package may be affected, another package is not", () => {
  expect(findVulnerabilities(named(null), index)).toMatchObject([{ affected: "maybe", fixedIn: "5.4" }]);
  expect(findVulnerabilities(named("0.1", "other"), index)).toEqual([]);
  expect(findVulnerabilities({ ...named("0.1"), ecosystem: "npm" }, index)).toEqual([]);
});

test("a file is one record, a list, an answer of the API, or lines; withdrawn records are left out", () => {
  const [one, gone] = [record({}), record({ id: "OSV-2", withdrawn: "2026-01-01T00:00:00Z" })];
  for (const text of [
    JSON.stringify(one),
    JSON.stringify([one, gone]),
    JSON.stringify({ vulns: [one] }),
    `${JSON.stringify(one)}\n${JSON.stringify(gone)}\n`,
  ])
    expect(parseAdvisories(text).map(({ id }) => id)).toEqual([one.id]);
  expect(() => parseAdvisories(JSON.stringify([one, { name: "x" }]))).toThrow("record 2 is not an OSV record");
  expect(() => parseAdvisories(`${JSON.stringify(one)}\nnot json`)).toThrow("line 2 is not JSON");
});

test.each([
  ["1.0.0", "1.0", 0],
  ["v1.2.3", "1.2.3", 0],
  ["1.2.3+build", "1.2.3", 0],
  ["1.10", "1.9", 1],
  ["1.0.0-alpha", "1.0.0", -1],
  ["1.0.0-alpha.1", "1.0.0-alpha.beta", 1],
  ["1.0rc1", "1.0rc2", -1],
  ["1.0rc1", "1.0.1", -1],
  ["1.0.post1", "1.0", 1],
])("%s and %s compare as %i", (a, b, order) => {
  expect(Math.sign(compareVersions(a, b))).toBe(order);
  expect(Math.sign(compareVersions(b, a)) + order).toBe(0);
});
