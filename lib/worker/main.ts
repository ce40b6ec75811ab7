// First, so that its settings cover the modules loaded after it.
import "./own-process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Logger, pino } from "pino";
import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import { version } from "@/package.json";
import { hiddenInSystem } from "./access/hidden-places";
import { hidesHost, readReleaseBuiltins, resolveAccess } from "./access/host-access";
import { describeAbility, probeAnalysis } from "./analysis/probe-analysis";
import { runAnalyses } from "./analysis/run-analyses";
import type { AnalysisHost } from "./analysis/traced-launch";
import { connectServer, createBackOff, ServerError } from "./connect-server";
import { prepareWorkDir } from "./files/work-dir";
import { openFolderReader } from "./inventory/folder-reader";
import { type SayLine, syncInventory } from "./inventory/sync-inventory";
import { createSharedRoot } from "./launch/mount-view";
import { removeCgroups } from "./processes/control-groups";
import { endRunsIn } from "./processes/process-tree";
import { endProcessesOf } from "./processes/user-ids";
import { isSupervised, readSettings, receiveStart, SettingsError } from "./read-settings";
import { runWorker } from "./run-worker";
import { describeIsolation, type Isolation, isolationLevel } from "./sandbox/isolation";
import { openStore } from "./sandbox/open-store";
import { probeIsolation } from "./sandbox/probe-isolation";
import { createWorker, drainWorker, type Worker } from "./worker";

const MAX_PROGRAMS = 10_000;

const MAX_VARIABLES = 1_000;

const built = dirname(fileURLToPath(import.meta.url));
const builtinsDir = join(built, "builtins");
/** Exit code for "starting again would change nothing" (EX_CONFIG). */
const HOPELESS_EXIT_CODE = 78;
const STOP_MS = 3000;
const SWITCHED_OFF: Isolation = {
  kind: "none",
  reason: "The operator switched the sandbox off (SKILLGATE_WORKER_SANDBOX).",
};

void main();

async function main(): Promise<void> {
  const log = createLogger(process.env.SKILLGATE_LOG_LEVEL);
  let worker: Worker | null = null;

  const exit = (code: number): never => {
    try {
      if (worker) endRunsIn(worker.workDir.runsDir);
      const isolation = worker?.isolation ?? SWITCHED_OFF;
      if (isolation.kind === "user") endProcessesOf(isolation.uids);
      if (isolation.kind !== "none" && isolation.cgroups) removeCgroups(isolation.cgroups);
    } finally {
      process.exit(code);
    }
  };
  surviveErrors(log);
  if (process.send) process.once("disconnect", () => exit(0));
  const registering = new AbortController();
  onStop(
    () => {
      if (!worker) exit(0);
      else drainWorker(worker);
      registering.abort();
      setTimeout(() => exit(0), STOP_MS - 200);
    },
    () => exit(0),
  );

  try {
    worker = await setUp(log);
    const analysis = await probeAnalysis(worker.isolation, {
      workDir: worker.workDir,
      recorderProgram: join(built, "worker-recorder.cjs"),
    });
    if (typeof analysis === "string") log.warn(`Dry runs are not available on this worker. ${analysis}`);
    await registerWorker(worker, analysis, registering.signal);
    if (process.connected) process.send?.({ type: "ready" });
    await Promise.all([
      runWorker(worker),
      runInventorySync(worker, registering.signal),
      runAnalyses(worker, analysis, registering.signal),
    ]);
    log.info("stopped");
    exit(0);
  } catch (error) {
    if (registering.signal.aborted) exit(0);
    exit(explain(log, error));
  }
}

async function setUp(log: Logger): Promise<Worker> {
  const args = process.argv.slice(2);
  const start = isSupervised(args) ? await receiveStart() : null;
  const settings = readSettings(args, process.env, start);
  process.title = "skillgate-worker";
  for (const warning of settings.warnings) log.warn(warning);
  const workDir = await prepareWorkDir(settings.workDir);
  const { name, url, allowance } = settings;
  const hidden = [...settings.hidden, workDir.path, workDir.skillsDir, workDir.workspacesDir];
  const probed = settings.sandbox === "off" ? SWITCHED_OFF : await probeIsolation(workDir.path, settings.sandbox);
  const found = hidesHost(probed)
    ? {
        ...probed,
        system: { ...probed.system, hidden: hiddenInSystem(probed, hidden) },
        store: await openStore(endWithoutStore),
      }
    : probed;
  if (hidesHost(found) && found.store === null) {
    log.warn("Skill files are stored in a folder of the host, where other programs of this user could change them.");
  }
  const access = await resolveAccess({
    ...{ worker: name, url, allowance, isolation: found, release: readReleaseBuiltins(builtinsDir) },
    hidden,
  });
  if (access.allows.withholdsNetwork && allowance.namespaces.includes("net")) {
    log.warn(
      "The server runs on this host, so SKILLGATE_WORKER_NAMESPACES grants net to built-ins of the release only.",
    );
  }
  return createWorker({
    name,
    slotCount: settings.slots,
    capabilities: settings.capabilities,
    workDir,
    access,
    isolation:
      found.kind === "bubblewrap" ? await createSharedRoot(found, workDir, { tell: (why) => log.warn(why) }) : found,
    server: connectServer(settings),
    log,
  });
}

/** The placed files are gone with the store; the launcher or the service manager restarts the worker. */
function endWithoutStore(): void {
  process.kill(process.pid, "SIGTERM");
}

/** A worker takes runs even without an inventory; only a refused token ends it. */
async function runInventorySync(worker: Worker, signal: AbortSignal): Promise<void> {
  const openReader = () => openFolderReader(join(built, "worker-reader.cjs"));
  const skillDirs = splitSkillDirs(process.env.SKILLGATE_SKILL_DIRS);
  // Plain lines as documented; JSON would put a backslash before each quote.
  const say: SayLine = (level, text) => {
    if (worker.log.isLevelEnabled(level)) process.stderr.write(`${text}\n`);
  };
  try {
    await syncInventory(
      worker,
      { skillDirs, builtinsDir: existsSync(builtinsDir) ? builtinsDir : null, openReader, say },
      signal,
    );
  } catch (error) {
    if (error instanceof ServerError) throw error;
    worker.log.error(
      { cause: error instanceof Error ? error.stack : String(error) },
      "skill loader: stopped by an error",
    );
  }
}

function explain(log: Logger, error: unknown): number {
  if (error instanceof SettingsError) {
    log.fatal(error.message);
    return HOPELESS_EXIT_CODE;
  }
  if (error instanceof ServerError && error.isUnauthorized) {
    log.fatal(
      "The server does not accept this worker's token. Create a new one under Admin, Workers, and start again.",
    );
    return HOPELESS_EXIT_CODE;
  }
  log.fatal({ cause: error instanceof Error ? error.stack : String(error) }, "the worker was stopped by an error");
  return 1;
}

/** The first signal drains. A second one after 500 ms exits at once; npm forwards one key press as two signals. */
function onStop(stop: () => void, insist: () => void): void {
  let firstMs: number | null = null;
  const listener = () => {
    if (firstMs === null) {
      firstMs = performance.now();
      stop();
    } else if (performance.now() - firstMs > 500) insist();
  };
  process.on("SIGTERM", listener);
  process.on("SIGINT", listener);
}

function surviveErrors(log: Logger): void {
  const report = (error: unknown) =>
    log.error({ cause: error instanceof Error ? error.stack : String(error) }, "unexpected error");
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}

/** JSON lines on stderr, written synchronously so that the last lines before an exit are not lost. */
function createLogger(level = "info"): Logger {
  const known = level === "silent" || level in pino.levels.values;
  return pino(
    {
      level: known ? level : "info",
      base: { pid: process.pid },
      redact: ["token", "*.token", "*.authorization", "secrets", "*.secrets", "*.value"],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

async function registerWorker(worker: Worker, analysis: AnalysisHost | string, signal: AbortSignal): Promise<void> {
  const backOff = createBackOff();
  for (;;) {
    try {
      const { workerId, name } = await worker.server.register({
        name: worker.name,
        version,
        platform: `${process.platform} ${process.arch} node ${process.versions.node}`,
        pid: process.pid,
        slots: worker.slotCount,
        isolation: isolationLevel(worker.isolation),
        isolationFacts: describeIsolation(worker.isolation),
        capabilities: worker.capabilities,
        ...(await findOffers(process.env)),
        allows: worker.access.allows,
        analysis: describeAbility(analysis),
      });
      worker.log.info(
        { workerId, name, slots: worker.slotCount, isolation: describeIsolation(worker.isolation) },
        "registered",
      );
      return;
    } catch (error) {
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      worker.log.warn({ cause: error.message }, "not registered, trying again");
      await delay(backOff.nextMs(), undefined, { signal });
    }
  }
}

/**
 * The directories of `SKILLGATE_SKILL_DIRS`, separated by colons (except after a drive letter, `C:\skills`), commas or
 * semicolons.
 */
export function splitSkillDirs(text: string | undefined): string[] {
  const dirs = (text ?? "").split(/[,;]|(?<!(?:^|[,;:])\s*[A-Za-z]):|:(?![\\/])/).map((dir) => dir.trim());
  return [...new Set(dirs.filter((dir) => dir !== ""))];
}

/** Names of programs on the PATH, executable or not, and of variables that a decision could grant; never values. */
export async function findOffers(env: Record<string, string | undefined>): Promise<{ bins: string[]; env: string[] }> {
  const folders = [...new Set((env.PATH ?? "").split(delimiter).filter(Boolean))];
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  const bins = [...new Set(found.flat())].filter((name) => /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(name));
  const names = Object.keys(env).filter((name) => name.length <= 200 && env[name] !== undefined && !isDeniedEnv(name));
  return { bins: bins.sort().slice(0, MAX_PROGRAMS), env: names.sort().slice(0, MAX_VARIABLES) };
}
