import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";
import type { AnalysisStep, StepReport } from "@/lib/policy/analysis/schema";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { removeRunDir } from "../../files/run-dirs";
import { prepareWorkDir } from "../../files/work-dir";
import { createUidPool, type UidPool } from "../../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../../protocol";
import { probeIsolation } from "../../sandbox/probe-isolation";
import { shareStore } from "../../testing/share-store";
import type { AskAgent } from "../follow-agent";
import { probeAnalysis } from "../probe-analysis";
import { runAnalysis } from "../run-analysis";
import type { AnalysisHost } from "../traced-launch";

export type Analyst = {
  host: AnalysisHost;
  analyse(
    files: Record<string, string>,
    steps: AnalysisStep[],
    changes?: Partial<AnalysisLease>,
    askAgent?: AskAgent,
  ): Promise<AnalysisOutcome>;
  /** Executes one file and returns its step's report. */
  analyseScript(path: string, text: string, changes?: Partial<AnalysisLease>): Promise<StepReport>;
};

/** Sets up dry runs as a worker does at its start; the reason as text where this machine cannot. Call it once a file. */
export async function prepareAnalyst(): Promise<Analyst | string> {
  const recorderProgram = join(dirname(await buildRecorder()), "worker-recorder.cjs");
  const path = realpathSync(mkdtempSync(join(tmpdir(), "analysis-test-")));
  atFileEnd(() => removeRunDir(path));
  const workDir = await prepareWorkDir(path);
  const found = await probeIsolation(workDir.path);
  const isolation = found.kind === "bubblewrap" ? await shareStore({ ...found, node: process.execPath }) : found;
  const host = await probeAnalysis(isolation, { workDir, recorderProgram });
  if (typeof host === "string") return host;
  const uids: UidPool = createUidPool(host.isolation.uids);
  let count = 0;

  async function analyse(
    files: Record<string, string>,
    steps: AnalysisStep[],
    changes: Partial<AnalysisLease> = {},
    askAgent: AskAgent = () => Promise.reject(new Error("There is no agent.")),
  ) {
    const stored = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
    const listed = stored.map(({ path, bytes }) => ({
      ...{ path, mode: "755" as const, sha256: sha256Hex(bytes), size: bytes.length },
    }));
    count += 1;
    const lease: AnalysisLease = {
      ...{ analysisId: `analysis-${count}`, fence: 1, versionDigest: digestFiles(listed), files: listed, steps },
      ...{ stepSeconds: 20, wanted: { env: [], paths: [] } },
      ...changes,
    };
    const fetchBlob = async (sha256: string) =>
      stored.find(({ bytes }) => sha256Hex(bytes) === sha256)?.bytes ?? Buffer.alloc(0);
    const stop = new AbortController();
    return runAnalysis(lease, { host: host as AnalysisHost, workDir, uids, fetchBlob, askAgent, stop: stop.signal });
  }

  return {
    host,
    analyse,
    async analyseScript(path, text, changes) {
      const step = { kind: "script" as const, path, argv: [], stdin: "{}" };
      const outcome = await analyse({ [path]: text }, [step], changes);
      if (outcome.kind === "failed") throw new Error(outcome.reason);
      const [report] = outcome.report.steps;
      if (!report) throw new Error("The report has no step.");
      return report;
    },
  };
}

async function buildRecorder(): Promise<string> {
  const script = new URL("../../../../bin/build-programs.mjs", import.meta.url).href;
  const { buildWorker } = (await import(/* @vite-ignore */ script)) as { buildWorker(): Promise<string> };
  return buildWorker();
}
