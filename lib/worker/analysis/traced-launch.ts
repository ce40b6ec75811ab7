import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIRST_SECRET_FD } from "../files/pass-secrets";
import { startDirectly } from "../launch/direct-launcher";
import type { EntryProcess } from "../launch/launcher";
import { type RunLimits, RunTerms } from "../protocol";
import type { ScriptCommand } from "../run/entry-command";
import { startBlocked } from "../sandbox/blocked-sandbox";
import type { Bubblewrap } from "../sandbox/isolation";
import { sandboxCommand } from "../sandbox/sandbox-command";
import { DECOY_HOME, DECOY_HOST, DECOY_UID, type DecoyFile, type Decoys } from "./decoys";
import { holdPlanted, type PlantedFiles } from "./hold-planted";
import type { Recorder, RecorderPrograms } from "./open-recorder";
import { NAMESERVER } from "./recorder-messages";
import { TRACED_NAMES } from "./traced-calls";

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

/** The tracer's option by which the program does not see that it is on one processor. */
export const hidePin = ({ mask }: Pin) => `--inject=sched_getaffinity:poke_exit=@arg3=${mask}`;

/** Absent, as in runs; the filter could only refuse it unseen. */
const ANSWERED = "--inject=?io_uring_setup:error=ENOSYS";

/** What one step executes: the entry of the version, or a script or text with its interpreter. */
export type TracedProgram = { entry: string; script: ScriptCommand | null };

const AUTHORITY_FILE = "/etc/ca-bundle.pem";
const NAMES_USERS = /^\/etc\/(?:passwd|group)$/;
/**
 * Where programs look that ignore the variables: a list, and for OpenSSL a file under the hash of the authority's name (c_rehash(1)). None on
 * a host without the folder, which is read-only in the sandbox.
 */
const AUTHORITIES_FOLDER = "/etc/ssl/certs";
const AUTHORITIES = existsSync(AUTHORITIES_FOLDER)
  ? [`${AUTHORITIES_FOLDER}/ca-certificates.crt`, `${AUTHORITIES_FOLDER}/553e31e2.0`]
  : [];

/** A longer trace ends the tracer, and with it the step. */
export const MAX_TRACE_BYTES = 128 * 1024 ** 2;
const WITH_LIMIT = `ulimit -f ${MAX_TRACE_BYTES / 512}; exec "$0" "$@"`;

/** Of a text that a call names or sends; longer ones are cut in the report. */
const MAX_TRACED_TEXT = 4096;
const ATTACH_MS = 10_000;
const END_MS = 5_000;
const MAX_REASON = 300;

/**
 * `traced` resolves when the tracer has ended: whether it saw the end of all processes, so that the trace is complete. `planted` must
 * be closed.
 */
export type TracedStep = { child: EntryProcess; traced: Promise<boolean>; planted: PlantedFiles | null };

type Launch = {
  host: AnalysisHost;
  recorder: Recorder | null;
  decoys: Pick<Decoys, "files" | "env">;
  skillDir: string;
  uid: number | null;
  limits: RunLimits;
  program: TracedProgram;
  /** Of `openTrace`. */
  traceFile: string;
};

/**
 * A file for the tracer, which has the run's user id and cannot make files in `dir`, a folder of the host that every user id can
 * enter. It is read when the step has ended: a pipe would wake the worker for each of thousands of lines.
 */
export function openTrace(dir: string, uid: number | null): string {
  const path = join(dir, `trace-${randomBytes(8).toString("hex")}`);
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  if (uid !== null) chownSync(path, uid, uid);
  return path;
}

/**
 * Starts a program in the sandbox of runs, without any grant, inside the decoy world and under the tracer. Bubblewrap makes the
 * world and waits; the tracer attaches to it; then it installs the filter, which stops the traced calls, and becomes the
 * program. The tracer is outside: it has the run's user id, and the program can neither see nor signal it, nor reach
 * what it writes. Throws RunFailure `spawn_failed`; nothing then runs.
 */
export async function startTraced(launch: Launch): Promise<TracedStep> {
  const { host, recorder, decoys, skillDir, uid, limits, program } = launch;
  const { isolation } = host;
  const files = worldFiles(decoys, recorder, uid);
  const sandbox = sandboxCommand({
    ...{ isolation, skillDir, uid, limits, entry: program.entry, script: program.script, terms: RunTerms.parse({}) },
    world: { mounts: mountsOf(files, limits), hostname: DECOY_HOST, hasNetwork: recorder !== null },
    isBlocked: true,
  });
  const pinned = pinWords(host.tracer);
  const child = await startDirectly({
    ...place([...pinned, isolation.program, ...sandbox], launch),
    env: worldEnv(decoys, recorder),
    filter: host.filter,
    pipes: 2,
    // Not credentials: the contents of the decoys, handed over the same way.
    secrets: files.map(({ path, content }) => ({ as: "file", name: path, value: content, credential: "" })),
    explain: ({ code, message }) => `The sandbox could not be started: ${code ?? message}.`,
  });
  return startBlocked(child, "The tracer could not be started", async (inside) => {
    const tracer = await attachTracer(inside, pinned, launch);
    const planted = await holdPlanted(
      inside,
      files.map(({ path }) => path),
    );
    return { child, traced: followEnd(child, tracer), planted };
  });
}

/** Which processor is random: dry runs that are executed at the same time should not share one. */
function pinWords({ pin }: Tracer): string[] {
  if (pin === null) return [];
  return [pin.taskset, "--cpu-list", String(pin.processors[randomInt(pin.processors.length)])];
}

/** Resolves when the tracer has the process `pid`, so that nothing it starts can escape it. */
async function attachTracer(pid: number, pinned: string[], { host, uid, traceFile }: Launch): Promise<ChildProcess> {
  const { program, pin } = host.tracer;
  const words = [
    ...[...pinned, program, ...(pin === null ? [] : [hidePin(pin)]), "-f", "--seccomp-bpf", "--quiet=personality"],
    ...["--decode-pids=pidns", ANSWERED, "-xx", "-y", "-s", String(MAX_TRACED_TEXT)],
    ...["-o", traceFile, "-p", String(pid)],
    ...["-e", "signal=SIGSYS,SIGKILL", "-e", `trace=${TRACED_NAMES.join(",")}`],
  ];
  const tracer = spawn("/bin/sh", ["-c", WITH_LIMIT, ...words], {
    ...{ cwd: "/", env: {} as NodeJS.ProcessEnv, stdio: ["ignore", "ignore", "pipe"] },
    ...(uid === null ? {} : { uid, gid: uid }),
  });
  const timer = setTimeout(() => tracer.kill("SIGKILL"), ATTACH_MS);
  let said = "";
  await new Promise<void>((resolve, reject) => {
    tracer.on("error", reject);
    tracer.once("close", () =>
      reject(new Error(said.trim().split("\n").at(-1)?.slice(0, MAX_REASON) || "it ended early")),
    );
    const listen = (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (!said.includes(`Process ${pid} attached`)) return;
      // It says so for each process that it follows.
      tracer.stderr?.off("data", listen).resume();
      resolve();
    };
    tracer.stderr?.on("data", listen);
  }).finally(() => clearTimeout(timer));
  return tracer;
}

/** A tracer that succeeds has seen the end of all its processes. A program that goes on without one is ended. */
async function followEnd(child: EntryProcess, tracer: ChildProcess): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  child.once("exit", () => {
    timer = setTimeout(() => tracer.kill("SIGKILL"), END_MS);
  });
  if (tracer.exitCode === null && tracer.signalCode === null) await once(tracer, "exit");
  clearTimeout(timer);
  const isComplete = tracer.exitCode === 0;
  if (!isComplete) child.kill("SIGKILL");
  return isComplete;
}

/** Where bubblewrap starts: as the run's user, in the recorder's network and where the skill files are mounted. */
function place(words: string[], { host, recorder, uid }: Launch) {
  const store = host.isolation.store ?? null;
  if (recorder === null || host.recorder === null) return { words, uid, store };
  const { nsenter } = host.recorder.programs;
  const ids = uid === null ? [] : [`--setgid=${uid}`, `--setuid=${uid}`];
  const inside = store === null ? [nsenter, ...ids, "--", ...words] : store.enter(words, uid);
  return { words: [nsenter, `--net=${recorder.network}`, "--", ...inside], uid: null, store: null };
}

function worldFiles({ files }: Pick<Decoys, "files">, recorder: Recorder | null, uid: number | null): DecoyFile[] {
  // Programs such as ssh end when their user has no name.
  const named = files.map((file) =>
    NAMES_USERS.test(file.path) && uid !== null
      ? { ...file, content: file.content.replaceAll(String(DECOY_UID), String(uid)) }
      : file,
  );
  if (recorder === null) return named;
  return [
    ...named,
    { path: "/etc/resolv.conf", mode: "0644", content: `nameserver ${NAMESERVER}\n` },
    ...[AUTHORITY_FILE, ...AUTHORITIES].map((path) => ({
      ...{ path, mode: "0644" as const, content: recorder.certificate },
    })),
  ];
}

/** A home of its own with a limit, and the decoys as ordinary files, which the program may change. */
function mountsOf(files: DecoyFile[], { diskBytes }: RunLimits): string[] {
  return [
    ...["--perms", "0700", "--size", String(diskBytes), "--tmpfs", DECOY_HOME],
    ...(files.some(({ path }) => AUTHORITIES.includes(path))
      ? ["--size", "1048576", "--tmpfs", AUTHORITIES_FOLDER]
      : []),
    ...files.flatMap(({ path, mode }, index) => [
      ...["--perms", mode],
      ...["--file", String(FIRST_SECRET_FD + index), path],
    ]),
  ];
}

function worldEnv({ env }: Pick<Decoys, "env">, recorder: Recorder | null): Record<string, string> {
  const trust = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO"];
  return {
    ...env,
    ...{ HOME: DECOY_HOME, TMPDIR: "/tmp", SHLVL: "1", USER: "dev", LOGNAME: "dev", LANG: "C.UTF-8" },
    PATH: "/usr/local/bin:/usr/bin:/bin",
    ...(recorder === null ? {} : Object.fromEntries(trust.map((name) => [name, AUTHORITY_FILE]))),
  };
}
