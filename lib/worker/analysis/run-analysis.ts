import { type AnalysisStep, REPORT_SCHEMA, type StepReport } from "@/lib/policy/analysis/schema";
import { loadBlob, shareSkill, storeSkill } from "../files/place-skill";
import type { WorkDir } from "../files/work-dir";
import type { UidPool } from "../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../protocol";
import { compareWorlds } from "./compare-worlds";
import { createDecoys, type Decoys, withoutNamed } from "./decoys";
import type { AskAgent } from "./follow-agent";
import { namedSecrets } from "./named-secrets";
import { openRecorder, type Recorder } from "./open-recorder";
import { type Executed, executeStep, runStep, type StepHost } from "./run-step";
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
    const wanted = {
      env: [...new Set([...lease.wanted.env, ...named.env])],
      settings: named.settings,
      paths: [...new Set([...lease.wanted.paths, ...named.paths])],
    };
    const worlds = { full: createDecoys(wanted), other: createDecoys(wanted) };
    const uid = takeUid();
    const recorderUid = host.recorder === null ? null : takeUid();
    if (host.recorder !== null && recorderUid !== null)
      recorder = await openRecorder({ ...host.recorder, uid: recorderUid });
    const on = {
      host,
      recorder,
      decoys: worlds.full,
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
      const { report, all } = await runInWorlds(step, index, on, worlds.other);
      steps[index] = report;
      for (const done of all) for (const path of done.touched) touched.add(path);
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
        canaries: worlds.full.canaries.map(({ name }) => name).slice(0, 100),
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

/**
 * Executes a step, and once more without what is planted only because the skill names it when the first time shows no deed: a
 * variable or a file may be the reason why a program stops, or end it because it expects another value. The report that says
 * more counts. Then it is compared with executions in which the secrets are others. All together have the time of one.
 */
async function runInWorlds(step: AnalysisStep, index: number, on: StepHost, other: Decoys) {
  const begun = performance.now();
  const inTime = () => {
    const stepSeconds = Math.floor(on.stepSeconds - (performance.now() - begun) / 1000);
    return stepSeconds < 1 ? null : { ...on, stepSeconds };
  };
  const first = await runStep(step, index, on);
  const bare = withoutNamed(on.decoys);
  const { end, deeds } = first.report;
  const hasEnded = end.kind === "exited" || end.kind === "signalled";
  const host = inTime();
  const all = [first];
  if (bare !== null && step.kind !== "agent" && deeds.length === 0 && hasEnded && host !== null)
    all.push(await runStep(step, index, { ...host, decoys: bare }));
  const [, second] = all;
  const isSecond = second !== undefined && saysMore(second.report, first.report);
  const { report, executed } = isSecond ? second : first;
  // A model answers as it likes, and twice costs twice.
  if (executed === null || step.kind === "agent") return { report, all };
  const worlds = isSecond ? { same: bare, other: withoutNamed(other) } : { same: on.decoys, other };
  const again = async (world: "same" | "other", staySeconds?: number) => {
    const [inside, decoys] = [inTime(), worlds[world]];
    return inside === null || decoys === null
      ? null
      : executeStep(step, index, { ...inside, decoys, staySeconds }).catch(() => null);
  };
  const stayed = report.leftRunning.length > 0 ? await again("same", STAY_SECONDS) : null;
  return { report: withoutEnding(await compareWorlds(report, executed, again), stayed), all };
}

/** A program that is only a little slower than the one that started it ends in this time. */
const STAY_SECONDS = 2;

/** Without the processes left, if all of them ended by themselves in an execution whose world stayed for a moment. */
function withoutEnding(report: StepReport, stayed: Executed | null): StepReport {
  if (stayed === null || stayed.end.kind === "stopped" || stayed.observed.leftRunning.items.size > 0) return report;
  const started = new Set([...stayed.observed.programs.items.values()].map(({ path }) => path));
  if (!report.leftRunning.every((left) => started.has(left.split(" ")[0] ?? ""))) return report;
  return { ...report, leftRunning: [], deeds: report.deeds.filter(({ kind }) => kind !== "left_process") };
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
