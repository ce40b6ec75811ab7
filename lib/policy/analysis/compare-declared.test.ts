import { expect, it } from "vitest";
import { findDifferences } from "./compare-declared";
import { AnalysisReport } from "./schema";

const DECLARED = { grants: { network: false as const, env: [], paths: [] }, named: { hosts: [], env: [], paths: [] } };

function reportWith(beyond: Record<string, number>, deeds: { kind: string; what: string }[] = []): AnalysisReport {
  const lists = { programs: [], reads: [], lookedFor: [], writes: [], addresses: [], names: [], sent: [], refused: [] };
  const end = { kind: "exited", exitCode: 0 };
  const step = { step: 0, end, durationMs: 1, ...lists, leftRunning: [], deeds, beyond, stdout: "", stderr: "" };
  const head = { schema: 1, tracer: "strace 6.1", isolation: "bubblewrap 0.8", network: "recorder", canaries: [] };
  return AnalysisReport.parse({ ...head, steps: [step], untouched: [] });
}

const rulesOf = (report: AnalysisReport) =>
  findDifferences(DECLARED, report, () => "run.sh").map(({ rule, path, what }) => `${rule} ${path} ${what}`);

it("says that a report is incomplete where a hostile act may be missing", () => {
  expect(rulesOf(reportWith({ network: 3, search: 1 }))).toEqual([
    "DRY008 run.sh not all data sent to the network, encoded data sent to the network",
  ]);
  expect(rulesOf(reportWith({ events: 1 }))).toEqual(["DRY008 run.sh not all recorded calls"]);
  expect(rulesOf(reportWith({ writes: 500, programs: 2 }))).toEqual([]);
  const many = Array.from({ length: 200 }, (_, index) => ({ kind: "wrote_outside", what: `/etc/${index}` }));
  expect(rulesOf(reportWith({ deeds: 9 }, many))).toContain("DRY008 run.sh not all hostile acts");
});
