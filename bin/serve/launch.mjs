import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Failure } from "../failure.mjs";
import { root } from "../root.mjs";
import { onStopSignal } from "../stop-signals.mjs";
import { fatalExitCode, runServices } from "./run-services.mjs";
import { readSecretFiles, secretNames } from "./secret-files.mjs";

const pollMs = 200;

const serverPrefixes = ["NEXTAUTH_", "SKILLGATE_", "GITHUB_CLIENT_", "GOOGLE_CLIENT_", "OIDC_", "npm_"];
const serverNames = ["DATABASE_URL", "AUTH_SECRET", "GITHUB_ID", "GITHUB_SECRET", "GOOGLE_ID", "GOOGLE_SECRET"];

/**
 * Starts and supervises the web process and the local worker; resolves with the exit code. `whileRunning(services)` may
 * return a clean-up function.
 */
export async function launch({ dev = false, whileRunning = () => () => {} } = {}) {
  const envFile = path.join(root, ".env");
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const secrets = readSecretFiles(process.env);
  if (secrets.problems.length > 0) {
    throw new Failure(["Skillgate cannot start:", ...secrets.problems.map((text) => `  ${text}`)].join("\n"), {
      exitCode: fatalExitCode,
    });
  }
  const env = { ...secrets.env, SKILLGATE_DATA: path.resolve(process.env.SKILLGATE_DATA || path.join(root, "data")) };

  // Threads that hash passwords and read archives would each keep an arena of freed memory: 35 MiB in a web process at rest.
  const webEnv = { MALLOC_ARENA_MAX: "2", ...env };
  const services = runServices({
    forkWeb: (earlier) =>
      forkChild("bin/web.mjs", dev ? ["--dev"] : [], earlier ? { ...webEnv, PORT: String(earlier.port) } : webEnv),
    forkWorker: hasLocalWorker(env) ? () => forkChild(".build/worker.mjs", ["--supervised"], workerEnv(env)) : null,
    workDir: workDirFor(env.SKILLGATE_DATA, env),
    hidden: serverPlaces(env),
    onReady: announce,
    tell: (line) => console.error(line),
  });
  const finish = whileRunning(services);
  const stopListening = onStopSignal(
    () => void services.stop(),
    () => {
      services.killNow();
      process.exit(130);
    },
  );
  // When this process ends, the channels close, and the children end within a second.
  watchParent(() => process.exit(1));
  try {
    return await services.ended;
  } finally {
    stopListening();
    finish();
  }
}

function hasLocalWorker({ SKILLGATE_LOCAL_WORKER }) {
  return !["false", "0"].includes(SKILLGATE_LOCAL_WORKER);
}

// Own process groups: a terminal's Ctrl-C must reach only the launcher, which stops the worker first.
function forkChild(file, args, env) {
  return fork(path.join(root, file), args, {
    cwd: root,
    env,
    execArgv: [],
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function announce({ url, setupUrl, workerUrl }) {
  console.log(`Skillgate is ready: ${url}`);
  if (workerUrl !== url) console.log(`It listens on ${workerUrl}`);
  if (setupUrl) console.log(`Create the first admin with this link, which works once: ${setupUrl}`);
}

/** Folder for runs of the local worker: outside the data directory, which sandboxes of other users cannot enter. */
export function workDirFor(dataDir, env) {
  if (env.SKILLGATE_WORK_DIR) return path.resolve(env.SKILLGATE_WORK_DIR);
  const name = createHash("sha256").update(path.resolve(dataDir)).digest("hex").slice(0, 16);
  return path.join(tmpdir(), `skillgate-${name}`);
}

/**
 * Calls `onGone` when npm, which started this process, was killed (SIGKILL). Only under npm: a launcher that was put
 * into the background outlives its shell.
 */
function watchParent(onGone, env = process.env) {
  if (!env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && onGone(), pollMs).unref();
}

/**
 * Environment of the worker: variables that operators pass to skills, and none of the server's. Of our own only the
 * worker's settings, without tokens: it receives its token by message.
 */
export function workerEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !belongsToServer(name)));
}

function belongsToServer(name) {
  if (name === "SKILLGATE_LOG_LEVEL" || name === "SKILLGATE_SKILL_DIRS") return false;
  if (name.startsWith("SKILLGATE_WORKER_")) return /TOKEN|SECRET|PASSWORD|KEY/.test(name);
  return serverNames.includes(name.replace(/_FILE$/, "")) || serverPrefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Absolute paths that no run may see: data, keys, backups, database, files of secrets and settings. `env` is the
 * environment before secret files were read.
 */
export function serverPlaces(env) {
  const data = path.resolve(env.SKILLGATE_DATA);
  const backups = env.SKILLGATE_BACKUPS || path.join(path.dirname(data), `${path.basename(data)}-backups`);
  const named = Object.entries(env).filter(([name, value]) => isSecretFile(name) && value);
  const settings = readdirSync(root).filter((name) => /^\.env(\.|$)/.test(name) && name !== ".env.example");
  return [
    data,
    path.resolve(backups),
    ...(env.SKILLGATE_KEYS ? [path.resolve(env.SKILLGATE_KEYS)] : []),
    ...databasePlaces(env.DATABASE_URL),
    ...named.map(([, value]) => path.resolve(value)),
    ...(env.SKILLGATE_TRUSTED_DIGESTS ? [path.resolve(env.SKILLGATE_TRUSTED_DIGESTS)] : []),
    ...settings.map((name) => path.join(root, name)),
  ];
}

/** Runs need other files in variables, such as SSL_CERT_FILE. */
function isSecretFile(name) {
  return secretNames.some((secret) => name === `${secret}_FILE`) || /^SKILLGATE_\w+_FILE$/.test(name);
}

/** Folder of a database file with its log; in a system folder only the files themselves. */
function databasePlaces(url = "") {
  if (!url.startsWith("file:")) return [];
  const file = path.resolve(root, url.slice("file:".length).replace(/\?.*$/, ""));
  const folder = path.dirname(file);
  const isOfSystem = folder === "/" || path.dirname(folder) === "/";
  return isOfSystem ? ["", "-wal", "-shm", "-journal"].map((end) => `${file}${end}`) : [folder];
}
