import { createReadStream, existsSync, rmSync } from "node:fs";
import type { AnalysisStep, StepEnd, StepReport } from "@/lib/policy/analysis/schema";
import { AGENT_SECONDS, MAX_LISTED } from "@/lib/policy/analysis/schema";
import { scriptInterpreter, WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import { joinGroup } from "../processes/control-groups";
import { RunLimits } from "../protocol";
import { checkEntry, checkProgram, readFirstLine } from "../run/entry-command";
import { type EntryEnd, runEntry } from "../run/run-entry";
import { RunFailure } from "../run/run-failure";
import { filesOf } from "../sandbox/open-store";
import type { Decoys } from "./decoys";
import { type AgentLog, type AskAgent, agentShell, followAgent } from "./follow-agent";
import { type Judged, judgeStep, unstartedStep } from "./judge-step";
import { observeTrace } from "./observe-trace";
import { NOTHING_RECORDED, type Recorder } from "./open-recorder";
import { createTraceReader } from "./read-trace";
import { NAMESERVER } from "./recorder-messages";
import {
  type AnalysisHost,
  MAX_TRACE_BYTES,
  openTrace,
  startTraced,
  type TracedProgram,
  type TracedStep,
} from "./traced-launch";

const MIB = 1024 ** 2;
/** More events than this end the step: the worker reads each of them. */
const MAX_EVENTS = 250_000;
const LINE_END = 10;
/** Of the trace at once; other work has its turn in between. */
const READ_BYTES = 256 * 1024;

export type StepHost = {
  host: AnalysisHost;
  recorder: Recorder | null;
  decoys: Decoys;
  commands: string[];
  skillDir: string;
  /** A folder of the host that every user id can enter. */
  traceDir: string;
  uid: number | null;
  stepSeconds: number;
  /** For so long the world stays when the program has ended, for processes that end a moment later. */
  staySeconds?: number;
  askAgent: AskAgent;
  stop: AbortSignal;
};

export type StepDone = {
  report: StepReport;
  touched: Set<string>;
  /** What the program did; null when it was not started. */
  executed: Executed | null;
};

/** Executes one step of an analysis to its end and reports what it did. Never throws. */
export async function runStep(step: AnalysisStep, index: number, on: StepHost): Promise<StepDone> {
  try {
    const executed = await executeStep(step, index, on);
    const { agent, observed } = executed;
    const report = await judgeStep({ ...executed, step: index });
    return { report: agent === null ? report : { ...report, agent }, touched: observed.touched, executed };
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return { report: unstartedStep(index, reason), touched: new Set(), executed: null };
  }
}

export type Executed = Omit<Judged, "step"> & { agent: AgentLog | null };

/** Executes one step without judging what it did. Throws RunFailure when it is not started. */
export async function executeStep(step: AnalysisStep, index: number, on: StepHost): Promise<Executed> {
  const { host, recorder, decoys } = on;
  const program = staying(programOf(step, on), on.staySeconds);
  const limits = limitsOf(step.kind === "agent" ? AGENT_SECONDS : on.stepSeconds);
  const stop = new AbortController();
  const abort = () => stop.abort(on.stop.reason);
  if (on.stop.aborted) throw new RunFailure("cancelled", "The analysis was stopped before this step.");
  on.stop.addEventListener("abort", abort, { once: true });
  const guarded = decoys.canaries.filter(({ isDocument }) => isDocument !== true);
  const observer = observeTrace({
    ...{
      canaries: guarded,
      documents: decoys.documents,
      commands: on.commands,
      limit: MAX_LISTED,
      nameserver: NAMESERVER,
    },
  });
  const errors: string[] = [];
  let followed: Promise<AgentLog> | null = null;
  const traceFile = openTrace(on.traceDir, on.uid);
  let started: TracedStep | null = null as TracedStep | null;
  try {
    const end = await runEntry(
      {
        async start() {
          started = await startTraced({ ...on, limits, program, traceFile });
          const { child } = started;
          if (host.isolation.cgroups) joinGroup(child, host.isolation.cgroups, limits, () => {});
          if (step.kind === "agent")
            followed = followAgent(child, step.commands, (commands) => on.askAgent(index, commands));
          return child;
        },
        ...{ runDir: null, stdin: stdinOf(step), limits, sandbox: { hasOwnPids: true } },
      },
      (stream, text) => {
        if (errors.length < 200) errors.push(stream === "system" ? "" : text);
      },
      stop,
    );
    if ((await started?.traced) === false) observer.onLost(1);
    const isFlooded = await readTrace(traceFile, observer);
    observer.compareHome(started?.planted?.compare() ?? null);
    const recorded = (await recorder?.collect()) ?? NOTHING_RECORDED;
    if (!observer.hasBegun() && end.stopReason === null)
      throw new RunFailure(
        "spawn_failed",
        `The sandbox did not start the program: ${end.stderrTail || "no reason given"}`,
      );
    return {
      end: isFlooded ? { kind: "stopped", reason: FLOODED } : endOf(end),
      durationMs: end.durationMs,
      ...{ observed: observer.seen, recorded, canaries: decoys.canaries, agent: await followed },
      ...{ stdout: end.stdout.toString("utf8"), stderr: errors.join("\n") },
    };
  } finally {
    on.stop.removeEventListener("abort", abort);
    started?.planted?.close();
    rmSync(traceFile, { force: true });
  }
}

function endOf({ stopReason, signal, exitCode }: EntryEnd): StepEnd {
  if (stopReason) return { kind: "stopped", reason: stopReason.message.replace("The run", "The step").slice(0, 500) };
  if (signal) return { kind: "signalled", signal };
  return { kind: "exited", exitCode: exitCode ?? -1 };
}

/** Feeds the tracer's output to the observer. Returns whether there was more than is read. */
async function readTrace(path: string, { onEvent, onLost }: ReturnType<typeof observeTrace>): Promise<boolean> {
  const reader = createTraceReader(onEvent);
  let bytes = 0;
  let unread = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (reader.lines() <= MAX_EVENTS) reader.write(chunk);
    else unread += chunk.reduce((count, byte) => (byte === LINE_END ? count + 1 : count), 0);
  }
  const isCut = bytes >= MAX_TRACE_BYTES;
  onLost(reader.lost() + unread + (isCut ? 1 : 0));
  return unread > 0 || isCut;
}

const FLOODED = `The step did more than ${MAX_EVENTS} things that are recorded; what came after is unknown.`;

function limitsOf(seconds: number): RunLimits {
  return RunLimits.parse({
    ...{ timeoutMs: seconds * 1000, stdoutBytes: MIB, stderrBytes: 64 * 1024 },
    ...{ memoryBytes: 512 * MIB, processes: 128, fileBytes: 32 * MIB, openFiles: 512, diskBytes: 64 * MIB },
  });
}

function stdinOf(step: AnalysisStep): string | null {
  if (step.kind === "agent") return null;
  if (step.kind === "entry") return JSON.stringify(step.args);
  return step.kind === "script" ? step.stdin : "";
}

/** Throws RunFailure when the worker could not start it for a run either. */
function programOf(step: AnalysisStep, { host, skillDir, stepSeconds }: StepHost): TracedProgram {
  const { isolation } = host;
  const isScript = step.kind !== "entry";
  const path = checkEntry(filesOf(isolation, skillDir), step.path, { isScript });
  const firstLine = readFirstLine(path);
  const shown = [...isolation.system.dirs, ...isolation.system.files];
  if (step.kind === "entry") {
    checkProgram(firstLine, shown);
    return { entry: step.path, script: null };
  }
  const interpreter = interpreterOf(step, firstLine, stepSeconds);
  if (interpreter === null) throw new RunFailure("spawn_failed", "The interpreter of the script is unknown.");
  checkProgram(firstLine, shown, interpreter[0]);
  return { entry: step.path, script: { interpreter, argv: step.kind === "script" ? step.argv : [] } };
}

function staying({ entry, script }: TracedProgram, seconds: number | undefined): TracedProgram {
  if (seconds === undefined) return { entry, script };
  const { interpreter, argv } = script ?? { interpreter: [], argv: [] };
  const text = `"$@"; code=$?; sleep ${seconds}; exit $code`;
  return { entry, script: { interpreter: [shellPath(), "-c", text, "sh", ...interpreter], argv } };
}

type Interpreted = Exclude<AnalysisStep, { kind: "entry" }>;

function interpreterOf(step: Interpreted, firstLine: string, seconds: number): string[] | null {
  if (step.kind === "command") return commandOf(step);
  if (step.kind === "agent") return [shellPath(), "-c", agentShell(shellPath(), seconds)];
  return scriptInterpreter(step.path, firstLine);
}

/** The text is the argument of its interpreter, and the file that it stands in is the next one. */
function commandOf({ language, text }: Extract<AnalysisStep, { kind: "command" }>): string[] {
  if (language === "python") return ["/usr/bin/env", "python3", "-c", text];
  if (language === "node") return [WORKER_NODE, "-e", text, "--"];
  return [shellPath(), "-c", text];
}

const shellPath = () => (existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh");
