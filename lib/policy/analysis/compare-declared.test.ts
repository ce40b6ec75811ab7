import { expect, it } from "vitest";
import { findDifferences, usedGrants } from "./compare-declared";
import { AnalysisReport, type StepReport } from "./schema";

const DECLARED = { grants: { network: false as const, env: [], paths: [] }, named: { hosts: [], env: [], paths: [] } };

function reportWith(
  beyond: Record<string, number>,
  deeds: { kind: string; what: string }[] = [],
  network: Partial<Pick<StepReport, "names" | "addresses" | "sent">> = {},
): AnalysisReport {
  const lists = { programs: [], reads: [], lookedFor: [], writes: [], addresses: [], names: [], sent: [], refused: [] };
  const end = { kind: "exited", exitCode: 0 };
  const step = {
    step: 0,
    end,
    durationMs: 1,
    ...lists,
    leftRunning: [],
    deeds,
    beyond,
    stdout: "",
    stderr: "",
    ...network,
  };
  const head = { schema: 1, tracer: "strace 6.1", isolation: "bubblewrap 0.8", network: "recorder", canaries: [] };
  return AnalysisReport.parse({ ...head, steps: [step], untouched: [] });
}

const rulesOf = (report: AnalysisReport) =>
  findDifferences(DECLARED, report, (step) => ({ path: "run.sh", line: step + 1 })).map(
    ({ rule, path, line, what }) => `${rule} ${path}:${line} ${what}`,
  );

it("says that a report is incomplete where a hostile act may be missing", () => {
  expect(rulesOf(reportWith({ network: 3, search: 1 }))).toEqual([
    "DRY008 run.sh:1 not all data sent to the network, encoded data sent to the network",
  ]);
  expect(rulesOf(reportWith({ events: 1 }))).toEqual(["DRY008 run.sh:1 not all recorded calls"]);
  expect(rulesOf(reportWith({ writes: 500, programs: 2 }))).toEqual([]);
  const many = Array.from({ length: 200 }, (_, index) => ({ kind: "wrote_outside", what: `/etc/${index}` }));
  expect(rulesOf(reportWith({ deeds: 9 }, many))).toContain("DRY008 run.sh:1 not all hostile acts");
});

const used = (...about: Parameters<typeof reportWith>) => usedGrants(DECLARED.grants, reportWith(...about)).network;
const sentTo = (to: string, hosts?: string[]): StepReport["sent"] => [
  { canary: "$TOKEN", encoding: "clear", channel: "http", to, hosts },
];

it("grants no host that received a secret, however it was written or named", () => {
  const names = ["Evil.Example.", "sub.evil.example", "good.example"];
  expect(used({}, [], { names, sent: sentTo("evil.example:80", ["evil.example"]) })).toEqual(["good.example"]);
  const asOther = sentTo("evil.example:443 (as good.example)", ["evil.example", "good.example"]);
  expect(used({}, [], { names, sent: asOther })).toBe(false);
  expect(used({}, [], { names, sent: sentTo("evil.example:80") })).toEqual(["good.example"]);
  const metadata = [{ kind: "asked_metadata", what: "good.example" }];
  expect(used({}, metadata, { names: ["good.example"] })).toBe(false);
});

it("grants no host where deeds are left out, since each may have received a secret", () => {
  expect(used({ names: 3 }, [], { names: ["a.example"] })).toEqual(["a.example"]);
  expect(used({ deeds: 1 }, [], { names: ["a.example"] })).toBe(false);
});
