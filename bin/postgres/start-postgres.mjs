import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Failure } from "../failure.mjs";
import { showProgress } from "../prepare/progress.mjs";
import { runCommand } from "../run-command.mjs";
import { canUseApt, installWithApt } from "../test/system-tools.mjs";

const OWNER = "skillgate";
const READY = "database system is ready to accept connections";
/** For tests: durability is not worth the time. */
const CARELESS = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];

const debian = "/usr/lib/postgresql";

/**
 * Starts a server with an empty temporary cluster on a free loopback port, open to all local users. `durable` survives
 * crashes of the machine. Resolves with its address, process, and `stop`, which removes everything.
 */
export async function startPostgres(folder, { env = process.env, durable = false } = {}) {
  const home = mkdtempSync(path.join(tmpdir(), "skillgate-postgres-"));
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? idsOf(["postgres", "nobody"]) : {};
  if (owner.uid !== undefined) chownSync(home, owner.uid, owner.gid);
  const data = path.join(home, "data");
  const options = { cwd: home, env: { ...env, LC_ALL: "C.UTF-8" }, ...owner };
  const made = await runCommand(
    path.join(folder, "initdb"),
    ["-D", data, "-A", "trust", "-U", OWNER, "-E", "UTF8", "--locale=C.UTF-8", ...(durable ? [] : ["--no-sync"])],
    options,
  );
  if (made.code !== 0) throw new Failure("PostgreSQL's initdb failed.", { details: made.output });
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"];
  const given = [...settings, ...(durable ? [] : CARELESS)].flatMap((setting) => ["-c", setting]);
  const start = () => serve(path.join(folder, "postgres"), ["-D", data, ...given], options);
  let server = await start();
  return {
    url: `postgresql://${OWNER}@127.0.0.1:${port}/postgres`,
    /** Kills the server and starts it again on the same data. */
    async crash() {
      await ended(server, "SIGQUIT");
      server = await start();
    },
    async stop() {
      await ended(server, "SIGINT");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function serve(program, args, options) {
  const server = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (chunk) => {
      if (said.includes(READY)) return;
      said += chunk;
      if (said.includes(READY)) resolve(server);
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Failure("PostgreSQL did not start.", { details: said })));
  });
}

function ended(server, signal) {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once("exit", resolve);
    server.kill(signal);
  });
}

function idsOf(names) {
  for (const name of names) {
    try {
      const id = (flag) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }).toString());
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // There is no user of this name.
    }
  }
  throw new Failure("PostgreSQL refuses to run as root, and there is neither a user “postgres” nor “nobody”.");
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Runs `work` with a PostgreSQL server, whose address is in the environment it gets. Resolves with its result, or with
 * one failure, so that a missing server cannot pass. `TEST_DATABASE_URL` names an existing server.
 */
export async function withPostgres(env, work) {
  if (env.TEST_DATABASE_URL) return work(env);
  const { folder, problem } = await findOrInstallPostgres(env);
  if (problem)
    return [{ passed: 0, failed: 1, skipped: 0, failures: [`the tests on PostgreSQL could not run: ${problem}`] }];
  const server = await startPostgres(folder, { env });
  try {
    return await work({ ...env, TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

/**
 * Finds the folder of PostgreSQL's programs and installs them if needed. Resolves with `{ folder }` or `{ problem }`.
 */
async function findOrInstallPostgres(env = process.env) {
  const found = findPostgres(env);
  if (found) return { folder: found };
  const advice =
    "No PostgreSQL server was found. Install one (15 or newer), or set POSTGRES_BIN to the folder of initdb.";
  if (!canUseApt()) return { problem: advice };
  const { output } = await showProgress("Installing PostgreSQL", () => installWithApt("postgresql"));
  const folder = findPostgres(env);
  return folder ? { folder } : { problem: `${output.trimEnd().split("\n").slice(-10).join("\n")}\n${advice}` };
}

function findPostgres(env) {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(env.POSTGRES_BIN ? [env.POSTGRES_BIN] : versions.map((version) => path.join(debian, version, "bin"))),
    ...(env.PATH ?? "").split(path.delimiter),
  ];
  return places.find((place) => place && ["initdb", "postgres"].every((name) => existsSync(path.join(place, name))));
}
