import pino from "pino";
import { beforeAll, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { prepareWorkDir } from "../files/work-dir";
import { createUidPool } from "../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../protocol";
import { makeWorkDir } from "../testing/make-work-dir";
import { runAnalyses } from "./run-analyses";
import { type Analyst, prepareAnalyst } from "./testing/analyse";

let found: Analyst | string = "not set up";

beforeAll(async () => {
  found = await prepareAnalyst();
}, 60_000);

const bytes = Buffer.from("#!/bin/sh\nsleep 600\n");
const file = { path: "a.sh", mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length };
const step = { kind: "script" as const, path: "a.sh", argv: [], stdin: "" };
const lease: AnalysisLease = {
  ...{ analysisId: "cancelled-one", fence: 1, versionDigest: digestFiles([file]), files: [file], steps: [step, step] },
  ...{ stepSeconds: 60, wanted: { env: [], paths: [] } },
};

it("stops the steps of an analysis that a person cancels", { timeout: 50_000 }, async ({ skip }) => {
  if (typeof found === "string") return skip(found);
  const { isolation } = found.host;
  const ended = new AbortController();
  const outcomes: AnalysisOutcome[] = [];
  const leases: (AnalysisLease | null)[] = [lease];
  let asked = 0;
  const server = {
    async leaseAnalysis() {
      const next = leases.pop() ?? null;
      if (next === null) ended.abort();
      return next;
    },
    holdsAnalysis: async () => {
      asked += 1;
      return asked < 20;
    },
    fetchAnalysisBlob: async () => bytes,
    askAgent: () => Promise.reject(new Error("There is no agent.")),
    reportAnalysis: async (_lease: AnalysisLease, outcome: AnalysisOutcome) => void outcomes.push(outcome),
  };
  const worker = {
    server,
    workDir: await prepareWorkDir(makeWorkDir()),
    uids: createUidPool(isolation.uids),
    checkMs: 50,
  };
  await runAnalyses({ ...worker, log: pino({ level: "silent" }) }, found.host, ended.signal);
  expect(outcomes).toMatchObject([
    {
      report: {
        steps: [{ end: { kind: "stopped", reason: "The dry run was cancelled." } }, { end: { kind: "not_started" } }],
      },
    },
  ]);
});
