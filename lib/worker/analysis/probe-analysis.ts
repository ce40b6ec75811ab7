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
  tracer: { program: string; version: string };
  filter: string;
  recorder: { programs: RecorderPrograms; program: string } | null;
};

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
    tracer: { program, version },
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

async function tryTracer(program: string): Promise<string | null> {
  const run = promisify(execFile);
  const options = { env: {} as NodeJS.ProcessEnv, timeout: PROBE_MS };
  try {
    const trace = ["-f", "--seccomp-bpf", "-q", "-xx", "-e", "trace=execve", "--", "/bin/sh", "-c", "exit 0"];
    const { stderr } = await run(program, trace, options);
    const { stdout } = await run(program, ["--version"], options);
    return /execve\(/.test(stderr) ? (/version (\d[\d.]*)/.exec(stdout)?.[1] ?? "unknown") : null;
  } catch {
    return null;
  }
}
