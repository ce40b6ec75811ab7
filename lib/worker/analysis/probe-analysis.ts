import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import type { AnalysisAbility } from "@/lib/policy/eligibility/schema";
import type { WorkDir } from "../files/work-dir";
import { RunLimits } from "../protocol";
import type { Bubblewrap, Isolation } from "../sandbox/isolation";
import { seccompFilter } from "../sandbox/seccomp-filter";
import { PROBE_MS, runTrial } from "../sandbox/trial-runs";
import { tracedCalls } from "./traced-calls";
import { type AnalysisHost, hidePin, openTrace, type Pin, startTraced } from "./traced-launch";

/**
 * Finds what dry runs need, and executes a program in one. Returns the reason as a sentence if something is missing: an analysis
 * without its tracer would see nothing and must not look as if nothing had happened. `recorderProgram` is the built recorder.
 */
export async function probeAnalysis(
  isolation: Isolation,
  options: { workDir: Pick<WorkDir, "path" | "skillsDir">; recorderProgram: string; tracer?: string | null },
): Promise<AnalysisHost | string> {
  if (isolation.kind !== "bubblewrap") return "Dry runs need the bubblewrap sandbox, which this worker does not have.";
  const program = options.tracer === undefined ? findProgram("strace") : options.tracer;
  if (program === null) return "The tracer strace is not installed on this worker.";
  // No socket of the host is in the world, whose network is its own; abstract names are of that network too.
  const filter = seccompFilter(process.arch, { unixSockets: true, traced: tracedCalls(process.arch) });
  if (filter === null || isolation.seccomp === null)
    return `Dry runs need a system call filter, and there is none for this worker (${process.arch}).`;
  const path = join(options.workDir.path, "filter-analysis.bpf");
  writeFileSync(path, filter, { mode: 0o600 });
  const host: AnalysisHost = {
    isolation: { ...isolation, root: null },
    tracer: { program, version: await readVersion(program), pin: await findPin(program) },
    filter: path,
    recorder: findRecorder(isolation, options.recorderProgram),
  };
  const failure = await tryTracing(host, options.workDir.skillsDir);
  return failure === null ? host : `The tracer strace does not work on this worker: ${failure}`.slice(0, 500);
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

async function readVersion(program: string): Promise<string> {
  const { stdout } = await run(program, ["--version"], SHORT).catch(() => ({ stdout: "" }));
  return /version (\d[\d.]*)/.exec(stdout)?.[1] ?? "unknown";
}

/** Null when the trace of a dry run has its program, else the problem. */
async function tryTracing(host: AnalysisHost, dir: string): Promise<string | null> {
  const uid = host.isolation.uids?.first ?? null;
  const traceFile = openTrace(dir, uid);
  let traced: Promise<boolean> | null = null;
  try {
    const failure = await runTrial(async () => {
      const started = await startTraced({
        ...{ host, recorder: null, decoys: { files: [], env: {} }, uid, traceFile },
        ...{ skillDir: "/usr/bin", program: { entry: "true", script: null } },
        limits: RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 }),
      });
      traced = started.traced;
      started.planted?.close();
      return started.child;
    });
    await traced;
    if (failure !== null) return failure;
    const programs = readFileSync(traceFile, "utf8").match(/ execve\(/g) ?? [];
    return programs.length >= 2 ? null : "its trace does not have the program.";
  } finally {
    rmSync(traceFile, { force: true });
  }
}
