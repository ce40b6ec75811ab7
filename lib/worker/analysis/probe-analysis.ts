import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import type { AnalysisAbility } from "@/lib/policy/eligibility/schema";
import type { Bubblewrap, Isolation } from "../sandbox/isolation";
import { seccompFilter } from "../sandbox/seccomp-filter";
import type { RecorderPrograms } from "./open-recorder";

/** What this worker needs for dry runs. `recorder` is null where connections can only be refused. */
export type AnalysisHost = {
  isolation: Bubblewrap;
  tracer: Tracer;
  filter: string;
  recorder: { programs: RecorderPrograms; program: string } | null;
};

export type Tracer = { program: string; version: string; pin: Pin | null };

/**
 * Tracer and program on one processor: each traced call stops the program twice, and waking another processor takes
 * several times as long as the call (2.5 to 3.5 times the time of a whole step here). The tracer answers the program's question for
 * its processors (`sched_getaffinity`) with those of the worker, `mask` in hexadecimal, lowest byte first.
 */
export type Pin = { taskset: string; processors: number[]; mask: string };

const PROBE_MS = 10_000;

/**
 * Finds what dry runs need, and tries the tracer. Returns the reason as a sentence if something is missing: an analysis
 * without its tracer would see nothing and must not look as if nothing had happened. `recorderProgram` is the built recorder.
 */
export async function probeAnalysis(
  isolation: Isolation,
  options: { dir: string; recorderProgram: string; tracer?: string | null },
): Promise<AnalysisHost | string> {
  if (isolation.kind !== "bubblewrap") return "Dry runs need the bubblewrap sandbox, which this worker does not have.";
  const program = options.tracer === undefined ? findProgram("strace") : options.tracer;
  if (program === null) return "The tracer strace is not installed on this worker.";
  const version = await tryTracer(program);
  if (version === null)
    return "The tracer strace does not work on this worker: tracing with a filter is not permitted.";
  const filter = seccompFilter(process.arch, { unixSockets: false, traps: true });
  if (filter === null || isolation.seccomp === null)
    return `Dry runs need a system call filter, and there is none for this worker (${process.arch}).`;
  const path = join(options.dir, "filter-analysis.bpf");
  writeFileSync(path, filter, { mode: 0o600 });
  const plain: Bubblewrap = { ...isolation, root: null };
  return {
    isolation: plain,
    tracer: { program, version, pin: await findPin(program) },
    filter: path,
    recorder: findRecorder(isolation, options.recorderProgram),
  };
}

export function describeAbility(host: AnalysisHost | string): AnalysisAbility {
  if (typeof host === "string") return { kind: "not_available", reason: host };
  return {
    kind: "available",
    tracer: `strace ${host.tracer.version}`,
    network: host.recorder ? "recorder" : "refused",
  };
}

function findRecorder({ uids, nsenter }: Bubblewrap, program: string): AnalysisHost["recorder"] {
  const [unshare, ip] = [findProgram("unshare"), findProgram("ip")];
  if (uids === null || nsenter === null || unshare === null || ip === null || !existsSync(program)) return null;
  return { programs: { unshare, ip, nsenter }, program };
}

/** The tracer's option by which the program does not see that it is on one processor. */
export const hidePin = ({ mask }: Pin) => `--inject=sched_getaffinity:poke_exit=@arg3=${mask}`;

/** Null with one processor, and where the means are missing. */
async function findPin(tracer: string): Promise<Pin | null> {
  const taskset = findProgram("taskset");
  if (taskset === null) return null;
  try {
    const { stdout } = await run(taskset, ["-p", String(process.pid)], SHORT);
    const digits = /mask: ([0-9a-f,]+)$/m.exec(stdout)?.[1]?.replaceAll(",", "") ?? "";
    // Only the first word of 64 bits is answered: every program has space for it.
    const first = digits.slice(-16).padStart(16, "0");
    const processors = [...Array(64).keys()].filter((index) => (BigInt(`0x${first}`) >> BigInt(index)) & 1n);
    const pin = { taskset, processors, mask: Buffer.from(first, "hex").reverse().toString("hex") };
    if (processors.length < 2) return null;
    const traced = [tracer, "-f", "--seccomp-bpf", "-q", "-e", "trace=execve", hidePin(pin), "/bin/true"];
    await run(taskset, ["--cpu-list", String(processors[0]), ...traced], SHORT);
    return pin;
  } catch {
    return null;
  }
}

const run = promisify(execFile);
const SHORT = { env: {} as NodeJS.ProcessEnv, timeout: PROBE_MS };

async function tryTracer(program: string): Promise<string | null> {
  try {
    const trace = ["-f", "--seccomp-bpf", "-q", "-xx", "-e", "trace=execve", "--", "/bin/sh", "-c", "exit 0"];
    const { stderr } = await run(program, trace, SHORT);
    const { stdout } = await run(program, ["--version"], SHORT);
    return /execve\(/.test(stderr) ? (/version (\d[\d.]*)/.exec(stdout)?.[1] ?? "unknown") : null;
  } catch {
    return null;
  }
}
