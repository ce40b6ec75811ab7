import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import type { AnalysisStep, StepEnd, StepReport } from "@/lib/policy/analysis/schema";
import { AGENT_SECONDS, MAX_LISTED } from "@/lib/policy/analysis/schema";
import { scriptInterpreter, WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import { joinGroup } from "../processes/control-groups";
import { RunLimits } from "../protocol";
import { checkEntry, checkProgram, readFirstLine } from "../run/check-entry";
import { type EntryEnd, runEntry } from "../run/run-entry";
import { RunFailure, type StopReason } from "../run/run-failure";
import { filesOf } from "../sandbox/open-store";
import type { Decoys } from "./decoys";
import { type AgentLog, type AskAgent, agentShell, followAgent } from "./follow-agent";
import { judgeStep, unstartedStep } from "./judge-step";
import { observeTrace } from "./observe-trace";
import type { Recorder } from "./open-recorder";
import type { AnalysisHost } from "./probe-analysis";
import { createTraceReader } from "./read-trace";
import { NAMESERVER } from "./recorder-messages";
import { startTraced, type TracedProgram } from "./traced-launch";

const MIB = 1024 ** 2;
/** More events than this end the step: the worker reads each of them. */
const MAX_EVENTS = 250_000;
const MAX_TRACE_BYTES = 128 * MIB;
const TRACE_END_MS = 1_000;
const LINE_END = 10;

export type StepHost = {
  host: AnalysisHost;
  recorder: Recorder | null;
  decoys: Decoys;
  skillDir: string;
  uid: number | null;
  stepSeconds: number;
  askAgent: AskAgent;
  stop: AbortSignal;
};

/** Executes one step of an analysis to its end and reports what it did. Never throws. */
export async function runStep(
  step: AnalysisStep,
  index: number,
  on: StepHost,
): Promise<{ report: StepReport; touched: Set<string> }> {
  try {
    return await execute(step, index, on);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return { report: unstartedStep(index, reason), touched: new Set() };
  }
}

async function execute(step: AnalysisStep, index: number, on: StepHost) {
  const { host, recorder, decoys } = on;
  const program = programOf(step, on);
  const limits = limitsOf(step.kind === "agent" ? AGENT_SECONDS : on.stepSeconds);
  const stop = new AbortController();
  const abort = () => stop.abort(on.stop.reason);
  if (on.stop.aborted) throw new RunFailure("cancelled", "The analysis was stopped before this step.");
  on.stop.addEventListener("abort", abort, { once: true });
  const observer = observeTrace({ canaries: decoys.canaries, limit: MAX_LISTED, nameserver: NAMESERVER });
  const errors: string[] = [];
  let traced: Promise<void> = Promise.resolve();
  let followed: Promise<AgentLog> | null = null;
  try {
    const end = await runEntry(
      {
        async start() {
          const { child, trace } = await startTraced({ ...on, limits, program });
          traced = readTrace(trace, observer, stop);
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
    await traced;
    const recorded = (await recorder?.collect()) ?? { names: [], data: [], beyond: 0 };
    if (!observer.hasBegun() && end.stopReason === null)
      throw new RunFailure(
        "spawn_failed",
        `The sandbox did not start the program: ${end.stderrTail || "no reason given"}`,
      );
    const report = await judgeStep({
      ...{ step: index, end: endOf(end), durationMs: end.durationMs, observed: observer.seen, recorded },
      ...{ canaries: decoys.canaries, stdout: end.stdout.toString("utf8"), stderr: errors.join("\n") },
    });
    const agent = await followed;
    return { report: agent === null ? report : { ...report, agent }, touched: observer.seen.touched };
  } finally {
    on.stop.removeEventListener("abort", abort);
  }
}

function endOf({ stopReason, signal, exitCode }: EntryEnd): StepEnd {
  if (stopReason) return { kind: "stopped", reason: stopReason.message.replace("The run", "The step").slice(0, 500) };
  if (signal) return { kind: "signalled", signal };
  return { kind: "exited", exitCode: exitCode ?? -1 };
}

/** Feeds the tracer's output to the observer until it ends; a flood of events stops the step. */
function readTrace(
  trace: Readable,
  { onEvent, onLost }: Pick<ReturnType<typeof observeTrace>, "onEvent" | "onLost">,
  stop: AbortController,
): Promise<void> {
  const reader = createTraceReader(onEvent);
  let bytes = 0;
  trace.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (reader.lines() > MAX_EVENTS || bytes > MAX_TRACE_BYTES) {
      stop.abort(flooded);
      onLost(chunk.reduce((count, byte) => (byte === LINE_END ? count + 1 : count), 1));
      return;
    }
    reader.write(chunk);
  });
  const ended = new Promise<void>((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    let timer: NodeJS.Timeout | undefined;
    trace.once("end", settle).once("close", settle).once("error", settle);
    stop.signal.addEventListener("abort", () => {
      timer = setTimeout(settle, TRACE_END_MS);
    });
  });
  return ended.then(() => onLost(reader.lost()));
}

const flooded: StopReason = {
  code: "output_limit",
  message: `The step did more than ${MAX_EVENTS} things that are recorded; what came after is unknown.`,
  graceMs: 0,
};

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
