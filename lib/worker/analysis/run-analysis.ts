import { type AnalysisStep, REPORT_SCHEMA, type StepReport } from "@/lib/policy/analysis/schema";
import { loadBlob, shareSkill, storeSkill } from "../files/place-skill";
import type { WorkDir } from "../files/work-dir";
import type { UidPool } from "../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../protocol";
import { createDecoys, withoutNamed } from "./decoys";
import type { AskAgent } from "./follow-agent";
import { namedSecrets } from "./named-secrets";
import { openRecorder, type Recorder } from "./open-recorder";
import { runStep, type StepHost } from "./run-step";
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
      settings: named.settings,
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
      commands: named.commands,
      skillDir: placed.skillDir,
      // What is not a skill here is removed at the worker's next start.
      traceDir: runner.workDir.skillsDir,
      uid,
      stepSeconds: lease.stepSeconds,
      askAgent: runner.askAgent,
      stop: runner.stop,
    };
    const steps: StepReport[] = [];
    const touched = new Set<string>();
    for (const [index, step] of lease.steps.entries()) {
      for (const done of await runTwice(step, index, on)) {
        steps[index] = done.report;
        for (const path of done.touched) touched.add(path);
      }
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

type Done = Awaited<ReturnType<typeof runStep>>;

/**
 * Executes a step, and once more without what is planted only because the skill names it when the first time shows no deed: a
 * variable or a file may be the reason why a program stops, or end it because it expects another value. Both together have the time
 * of one. The report that says more comes last.
 */
async function runTwice(step: AnalysisStep, index: number, on: StepHost): Promise<Done[]> {
  const first = await runStep(step, index, on);
  const bare = withoutNamed(on.decoys);
  const { end, deeds, durationMs } = first.report;
  const seconds = on.stepSeconds - Math.ceil(durationMs / 1000);
  const hasEnded = end.kind === "exited" || end.kind === "signalled";
  if (bare === null || step.kind === "agent" || deeds.length > 0 || !hasEnded || seconds < 1) return [first];
  const second = await runStep(step, index, { ...on, decoys: bare, stepSeconds: seconds });
  return saysMore(second.report, first.report) ? [first, second] : [second, first];
}

function saysMore(second: StepReport, first: StepReport): boolean {
  if (second.deeds.length > 0 || second.end.kind === "not_started") return second.deeds.length > 0;
  const contacts = ({ addresses, names }: StepReport) => addresses.length + names.length;
  const hasSucceeded = ({ end }: StepReport) => end.kind === "exited" && end.exitCode === 0;
  if (contacts(second) !== contacts(first)) return contacts(second) > contacts(first);
  return hasSucceeded(second) && !hasSucceeded(first);
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
