import { REPORT_SCHEMA } from "@/lib/policy/analysis/schema";
import { loadBlob, shareSkill, storeSkill } from "../files/place-skill";
import type { WorkDir } from "../files/work-dir";
import type { UidPool } from "../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../protocol";
import { createDecoys } from "./decoys";
import type { AskAgent } from "./follow-agent";
import { namedSecrets } from "./named-secrets";
import { openRecorder, type Recorder } from "./open-recorder";
import { runStep } from "./run-step";
import type { AnalysisHost } from "./traced-launch";

export type AnalysisRunner = {
  host: AnalysisHost;
  workDir: WorkDir;
  uids: UidPool;
  fetchBlob: (sha256: string) => Promise<Uint8Array>;
  askAgent: AskAgent;
  /** Aborted with a StopReason to end the analysis. */
  stop: AbortSignal;
};

/**
 * Executes the steps of an analysis one after the other, each in a new decoy world, and reports what they did. It knows
 * nothing but the lease: no credential, no grant, no network and no workspace. Never throws; a failure is an outcome.
 */
export async function runAnalysis(lease: AnalysisLease, runner: AnalysisRunner): Promise<AnalysisOutcome> {
  const { host, uids } = runner;
  const taken: number[] = [];
  const takeUid = () => {
    const uid = uids.acquire();
    if (uid !== null) taken.push(uid);
    return uid;
  };
  let recorder: Recorder | null = null;
  let leave = () => {};
  try {
    const placed = await placeSkill(lease, runner);
    leave = placed.leave;
    const named = await namedSecrets(blobsOf(lease, runner));
    const decoys = createDecoys({
      env: [...new Set([...lease.wanted.env, ...named.env])],
      paths: [...new Set([...lease.wanted.paths, ...named.paths])],
    });
    const uid = takeUid();
    const recorderUid = host.recorder === null ? null : takeUid();
    if (host.recorder !== null && recorderUid !== null)
      recorder = await openRecorder({ ...host.recorder, uid: recorderUid });
    const on = {
      host,
      recorder,
      decoys,
      skillDir: placed.skillDir,
      // What is not a skill here is removed at the worker's next start.
      traceDir: runner.workDir.skillsDir,
      uid,
      stepSeconds: lease.stepSeconds,
      askAgent: runner.askAgent,
      stop: runner.stop,
    };
    const steps = [];
    const touched = new Set<string>();
    for (const [index, step] of lease.steps.entries()) {
      const done = await runStep(step, index, on);
      steps.push(done.report);
      for (const path of done.touched) touched.add(path);
    }
    return {
      kind: "report",
      report: {
        ...{
          schema: REPORT_SCHEMA,
          tracer: `strace ${host.tracer.version}`,
          isolation: `bubblewrap ${host.isolation.version}`,
        },
        network: recorder === null ? "refused" : "recorder",
        canaries: decoys.canaries.map(({ name }) => name).slice(0, 100),
        steps,
        untouched: lease.files
          .map(({ path }) => path)
          .filter((path) => !touched.has(path))
          .slice(0, 1_000),
      },
    };
  } catch (failure) {
    const cause = failure instanceof Error ? failure.message : String(failure);
    return { kind: "failed", reason: `The worker could not execute the analysis: ${cause}`.slice(0, 2_000) };
  } finally {
    recorder?.close();
    for (const uid of taken) uids.release(uid);
    leave();
  }
}

function* blobsOf({ files }: AnalysisLease, { workDir, fetchBlob }: AnalysisRunner) {
  for (const file of files) yield loadBlob(workDir.cacheDir, file, fetchBlob);
}

/** The verified bytes of the version, where its runs would have them. */
async function placeSkill(lease: AnalysisLease, { host, workDir, fetchBlob }: AnalysisRunner) {
  const load = (file: AnalysisLease["files"][number]) => loadBlob(workDir.cacheDir, file, fetchBlob);
  const { store } = host.isolation;
  if (store) return storeSkill(lease, store, load);
  return { skillDir: await shareSkill(lease, workDir.skillsDir, load), leave: () => {} };
}
