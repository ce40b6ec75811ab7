import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { Failure } from "../failure.mjs";
import { root } from "../root.mjs";
import { onStopSignal } from "../stop-signals.mjs";
import { fatalExitCode, runServices } from "./run-services.mjs";
import { readSecretFiles } from "./secret-files.mjs";
import { serverPlaces } from "./server-places.mjs";
import { watchParent } from "./watch-parent.mjs";
import { workDirFor } from "./work-dir.mjs";
import { workerEnv } from "./worker-env.mjs";

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
