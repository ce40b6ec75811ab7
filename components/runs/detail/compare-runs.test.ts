import { describe, expect, it } from "vitest";
import { someRun } from "@/components/runs/testing/some-run";
import type { Run } from "@/lib/runner/schema";
import { compareFacts, compareTerms } from "./compare-runs";

const run = someRun();

const marked = (before: Run, after: Run) =>
  compareFacts(before, after)
    .filter(({ isOther }) => isOther)
    .map(({ term }) => term);

describe("compareFacts", () => {
  it("marks no difference between two equal runs", () => {
    expect(marked(run, { ...run, id: "r2", durationMs: 2_000, sandboxMs: 1, warm: true })).toEqual([]);
  });

  it("marks differences", () => {
    const failed: Run = {
      ...run,
      state: "failed",
      exitCode: 3,
      error: { code: "exit_nonzero", message: "It ended with 3." },
      versionNumber: 2,
      versionDigest: "0aa",
      worker: { id: "w2", name: "plant-3" },
    };
    expect(marked(run, failed)).toEqual(["State", "Error", "Exit code", "Version", "Worker"]);
  });

  it("shows durations without marking them", () => {
    const facts = Object.fromEntries(compareFacts(run, { ...run, warm: true }).map((fact) => [fact.term, fact.after]));
    expect(facts).toMatchObject({
      Queue: "1.0 s",
      Sandbox: "5 ms, prewarmed",
      Run: "995 ms",
      "Peak memory": "1.0 KiB",
    });
  });

  it("omits facts that both runs lack", () => {
    expect(compareFacts(run, run).map(({ term }) => term)).not.toContain("Signal");
  });
});

describe("compareTerms", () => {
  it("lists only changed permissions", () => {
    const before = { class: "safe" as const, grants: {}, timeoutSeconds: 30 };
    const after = { class: "safe" as const, grants: { network: ["api.example.org"] }, timeoutSeconds: 30 };
    expect(compareTerms(before, after)).toEqual([
      { term: "Network", before: "None", after: "Only api.example.org", isOther: true },
    ]);
    expect(compareTerms(after, after)).toEqual([]);
  });
});
