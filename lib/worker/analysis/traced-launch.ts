import { randomInt } from "node:crypto";
import { FIRST_SECRET_FD } from "../files/pass-secrets";
import { startDirectly } from "../launch/direct-launcher";
import type { EntryProcess } from "../launch/launcher";
import { type RunLimits, RunTerms } from "../protocol";
import type { ScriptCommand } from "../run/entry-command";
import { sandboxCommand } from "../sandbox/sandbox-command";
import { DECOY_HOME, type DecoyFile, type Decoys } from "./decoys";
import { TRACED_CALLS } from "./observe-trace";
import type { Recorder } from "./open-recorder";
import { type AnalysisHost, hidePin, type Tracer } from "./probe-analysis";
import { NAMESERVER } from "./recorder-messages";

/** What one step executes: the entry of the version, or a script or text with its interpreter. */
export type TracedProgram = { entry: string; script: ScriptCommand | null };

const AUTHORITY_FILE = "/etc/ca-bundle.pem";

/** A longer trace ends the tracer, and with it the step. */
export const MAX_TRACE_BYTES = 128 * 1024 ** 2;
const WITH_LIMIT = `ulimit -f ${MAX_TRACE_BYTES / 512}; exec "$0" "$@"`;

/** Of a text that a call names or sends; longer ones are cut in the report. */
const MAX_TRACED_TEXT = 4096;

type Launch = {
  host: AnalysisHost;
  recorder: Recorder | null;
  decoys: Decoys;
  skillDir: string;
  uid: number | null;
  limits: RunLimits;
  program: TracedProgram;
  /**
   * The tracer writes here: a file of the run's user id outside its world, read when the step has ended. A pipe would wake
   * the worker for each of thousands of lines.
   */
  traceFile: string;
};

/**
 * Starts a program in the sandbox of runs, without any grant, inside the decoy world and under the tracer. The tracer is
 * outside: it has the run's user id, and the program can neither see nor signal it, nor reach what it writes. Throws
 * RunFailure `spawn_failed`.
 */
export async function startTraced(launch: Launch): Promise<EntryProcess> {
  const { host, recorder, decoys, skillDir, uid, limits, program, traceFile } = launch;
  const { isolation, tracer } = host;
  const files = worldFiles(decoys, recorder);
  const sandbox = sandboxCommand({
    ...{ isolation, skillDir, uid, limits, entry: program.entry, script: program.script, terms: RunTerms.parse({}) },
    world: { mounts: mountsOf(files, limits), hasNetwork: recorder !== null },
  });
  const traced = [
    ...["/bin/sh", "-c", WITH_LIMIT, ...tracerWords(tracer), "-f", "--seccomp-bpf", "--quiet=attach,personality"],
    ...["-xx", "-y", "-s", String(MAX_TRACED_TEXT), "-o", traceFile],
    ...["-e", "signal=SIGSYS,SIGKILL", "-e", `trace=${TRACED_CALLS.join(",")}`, "--"],
    ...[isolation.program, ...sandbox],
  ];
  return startDirectly({
    ...place(traced, launch),
    env: worldEnv(decoys, recorder),
    filter: host.filter,
    // Not credentials: the contents of the decoys, handed over the same way.
    secrets: files.map(({ path, content }) => ({ as: "file", name: path, value: content, credential: "" })),
    explain: ({ code, message }) => `The tracer could not be started: ${code ?? message}.`,
  });
}

/** Which processor is random: dry runs that are executed at the same time should not share one. */
function tracerWords({ program, pin }: Tracer): string[] {
  if (pin === null) return [program];
  const processor = pin.processors[randomInt(pin.processors.length)];
  return [pin.taskset, "--cpu-list", String(processor), program, hidePin(pin)];
}

/** Where the tracer starts: as the run's user, in the recorder's network and where the skill files are mounted. */
function place(words: string[], { host, recorder, uid }: Launch) {
  const store = host.isolation.store ?? null;
  if (recorder === null || host.recorder === null) return { words, uid, store };
  const { nsenter } = host.recorder.programs;
  const ids = uid === null ? [] : [`--setgid=${uid}`, `--setuid=${uid}`];
  const inside = store === null ? [nsenter, ...ids, "--", ...words] : store.enter(words, uid);
  return { words: [nsenter, `--net=${recorder.network}`, "--", ...inside], uid: null, store: null };
}

function worldFiles({ files }: Decoys, recorder: Recorder | null): DecoyFile[] {
  if (recorder === null) return files;
  return [
    ...files,
    { path: "/etc/resolv.conf", mode: "0644", content: `nameserver ${NAMESERVER}\n` },
    { path: AUTHORITY_FILE, mode: "0644", content: recorder.certificate },
  ];
}

/** A home of its own with a limit, and the decoys as ordinary files, which the program may change. */
function mountsOf(files: DecoyFile[], { diskBytes }: RunLimits): string[] {
  return [
    ...["--perms", "0700", "--size", String(diskBytes), "--tmpfs", DECOY_HOME],
    ...files.flatMap(({ path, mode }, index) => [
      ...["--perms", mode],
      ...["--file", String(FIRST_SECRET_FD + index), path],
    ]),
  ];
}

function worldEnv({ env }: Decoys, recorder: Recorder | null): Record<string, string> {
  const trust = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO"];
  return {
    ...env,
    ...{ HOME: DECOY_HOME, TMPDIR: "/tmp", SHLVL: "1", USER: "dev", LOGNAME: "dev", LANG: "C.UTF-8" },
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...(recorder === null ? {} : Object.fromEntries(trust.map((name) => [name, AUTHORITY_FILE]))),
  };
}
