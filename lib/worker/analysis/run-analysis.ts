import { type AnalysisStep, REPORT_SCHEMA, type StepReport } from "@/lib/policy/analysis/schema";
import { loadBlob, shareSkill, storeSkill } from "../files/place-skill";
import type { WorkDir } from "../files/work-dir";
import type { UidPool } from "../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../protocol";
import { compareWorlds } from "./compare-worlds";
import { createDecoys, type Decoys, USUAL_FILES, withoutNamed } from "./decoys";
import type { AskAgent } from "./follow-agent";
import { mergeReports } from "./judge-step";
import { namedSecrets } from "./named-secrets";
import { openRecorder, type Recorder } from "./open-recorder";
import { type Executed, executeStep, runStep, type StepDone, type StepHost } from "./run-step";
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
    const named = await namedSecrets(blobsOf(lease, runner), USUAL_FILES);
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
    const extra = { seconds: EXTRA_SECONDS };
    const touched = new Set<string>();
    for (const [index, step] of lease.steps.entries()) {
      const { report, all } = await runInWorlds(step, index, { on, other: worlds.other, extra });
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

/** Of all executions after the first one of each step together, so that one analysis does not keep others waiting for an hour. */
const EXTRA_SECONDS = 400;

/** The limits of a step for all comparisons of it, so that a program of a third of a limit has eight executions. */
const COMPARED_TIMES = 3;

type InWorlds = { on: StepHost; other: Decoys; extra: { seconds: number } };

/**
 * Executes a step, and again without what is planted only because the files name it, and without anything that they name: a variable or
 * a file may be the reason why a program stops, or end it because it expects another value. Each has the time of a step, and all
 * that they are compared with have three times that together. `beyond.worlds` counts those for which there was no time.
 */
async function runInWorlds(step: AnalysisStep, index: number, { on, other, extra }: InWorlds) {
  const budget = { seconds: Math.min(COMPARED_TIMES * on.stepSeconds, extra.seconds) };
  const before = budget.seconds;
  const all = [await runCompared(step, index, { on, other, extra: budget })];
  extra.seconds -= before - budget.seconds;
  let [{ report }] = all as [StepDone];
  if (step.kind === "agent" || report.end.kind === "not_started") return { report, all };
  for (const usual of [false, true]) {
    const decoys = withoutNamed(on.decoys, { usual });
    if (decoys === null) continue;
    if (extra.seconds < 1) {
      report = { ...report, beyond: { ...report.beyond, worlds: (report.beyond.worlds ?? 0) + 1 } };
      continue;
    }
    const begun = performance.now();
    const inBare = { on: { ...on, decoys }, other: withoutNamed(other, { usual }) ?? other, extra: budget };
    const next = await runCompared(step, index, inBare);
    extra.seconds -= (performance.now() - begun) / 1000;
    all.push(next);
    report = saysMore(report, next.report) ? mergeReports(next.report, report) : mergeReports(report, next.report);
  }
  return { report, all };
}

/** Executes a step, then again with the same and other secrets, for what only that tells; `extra` has the time for these. */
async function runCompared(step: AnalysisStep, index: number, { on, other, extra }: InWorlds): Promise<StepDone> {
  const done = await runStep(step, index, on);
  const { report, executed } = done;
  if (executed === null) return done;
  // A model answers as it likes, and knows what it has read of a secret.
  if (step.kind === "agent") return { ...done, report: await compareWorlds(report, executed, async () => null) };
  const again = async (world: "same" | "other", staySeconds?: number) => {
    const stepSeconds = Math.floor(Math.min(extra.seconds, on.stepSeconds));
    if (stepSeconds < 1) return null;
    const begun = performance.now();
    const decoys = world === "same" ? on.decoys : other;
    const next = await executeStep(step, index, { ...on, decoys, stepSeconds, staySeconds }).catch(() => null);
    extra.seconds -= (performance.now() - begun) / 1000;
    return next;
  };
  const stayed = report.leftRunning.length > 0 ? await again("same", STAY_SECONDS) : null;
  return { ...done, report: withoutEnding(await compareWorlds(report, executed, again), stayed) };
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

/** Whether the second execution says more of how a step ends and what it prints; what both did is in the report. */
function saysMore(first: StepReport, second: StepReport): boolean {
  if (second.end.kind === "not_started") return false;
  if (second.end.kind === "stopped") return true;
  if (second.deeds.length !== first.deeds.length) return second.deeds.length > first.deeds.length;
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
