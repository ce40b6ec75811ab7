import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createCtx } from "@/lib/db/context";
import { approveAllTrusted } from "@/lib/review/automatic-approvals";

import { failLostRuns } from "@/lib/runner/runs/fail-lost-runs";
import { startCuttableProxy } from "@/lib/testing/cuttable-proxy";
import { tableAnswerer } from "@/lib/testing/listening-server";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "../testing/route-table";

const { call, person, worker, database } = await testServer(ROUTE_TABLE);
const admin = (await person("admin")).token;
const folder = mkdtempSync(join(tmpdir(), "skillgate-edge-"));
const trusted = join(folder, "trusted");
process.env.SKILLGATE_TRUSTED_DIGESTS = trusted;
writeFileSync(trusted, "");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROUTES = ROUTE_TABLE.filter(([path]) => path.startsWith("/api/worker/"));

const MAKE_PIPE = "mkfifo";
let bundle: string;
beforeAll(async () => {
  const script = new URL("../../../bin/build-programs.mjs", import.meta.url).href;
  const { buildWorker } = (await import(/* @vite-ignore */ script)) as { buildWorker(): Promise<string> };
  bundle = await buildWorker();
  await call("PATCH", "/api/admin/settings", { token: admin, json: { mutatingWithoutSandbox: true } });
});

/** The server of an edge: the worker's routes on a port, behind a connection that can be cut. */
async function startConnection(beforeAnswer: (text: string) => void = () => {}) {
  const answer = tableAnswerer(ROUTES);
  const server = createServer((request, response) => {
    const end = response.end.bind(response) as (chunk?: unknown) => typeof response;
    response.end = ((chunk?: unknown) => {
      beforeAnswer(chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk ?? ""));
      return end(chunk);
    }) as typeof response.end;
    if (!answer(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = await startCuttableProxy((server.address() as AddressInfo).port);
  /** Number of connections that the server still has. */
  const known = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { ...proxy, known };
}

/** A worker process with its own data, whose skill directory has one pack that records each of its starts. */
async function startEdge(name: string, url: string) {
  const home = join(folder, name);
  const [starts, barrier, pack] = [join(home, "starts"), join(home, "barrier"), join(home, "skills", name)];
  mkdirSync(pack, { recursive: true });
  writeFileSync(starts, "");
  execFileSync(MAKE_PIPE, [barrier]);
  const script = `#!/bin/sh\nargs=$(/bin/cat)\necho "$args" >> ${starts}\ncase "$args" in *wait*) /bin/cat ${barrier} > /dev/null;; esac\necho "$args"\n`;
  writeFileSync(join(pack, "run.sh"), script);
  chmodSync(join(pack, "run.sh"), 0o755);
  const manifest = { name, description: "d", entry: "run.sh", class: "mutating", timeout_seconds: 60 };
  writeFileSync(join(pack, "skill.json"), JSON.stringify(manifest));
  const { id, token } = await worker();
  await database.writer.worker.update({ where: { id }, data: { manager: false } });
  const env: NodeJS.ProcessEnv = {
    ...{
      NODE_ENV: "production",
      PATH: process.env.PATH,
      SKILLGATE_WORKER_SANDBOX: "off",
      SKILLGATE_WORKER_TOKEN: token,
    },
    SKILLGATE_SKILL_DIRS: join(home, "skills"),
  };
  const options = ["--url", url, "--name", name, "--slots", "2", "--work-dir", join(home, "work")];
  let log = "";
  const launch = () => {
    const child = spawn(process.execPath, [bundle, ...options], { env, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  let child = launch();
  return {
    id,
    kill: () => child.kill("SIGKILL"),
    /** Starts another process after one has ended. */
    async restart() {
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once("exit", resolve));
      child = launch();
    },
    log: () => log,
    /** Which runs were started, in order. */
    starts: () =>
      readFileSync(starts, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).n as number),
    /** Lets the waiting run continue. */
    open: () => writeFileSync(barrier, ""),
  };
}

const patient = { timeout: 40_000, interval: 25 };
const json = (response: Response) => response.json() as Promise<Record<string, unknown>>;

async function offered(name: string): Promise<string> {
  await expect.poll(() => database.reader.version.count({ where: { skill: { name } } }), patient).toBe(1);
  const version = await database.reader.version.findFirstOrThrow({ where: { skill: { name } } });
  writeFileSync(trusted, `${version.digest}\n`);
  await approveAllTrusted(createCtx({ actor: { kind: "system", name: "test" }, database }));
  return version.skillId;
}

function start(skillId: string, edge: string, args: Record<string, unknown>): Promise<string> {
  const body = { args: { ...args, edge_id: edge }, confirm: true };
  return call("POST", `/api/skills/${skillId}/runs`, { token: admin, json: body }).then(async (response) => {
    expect(response.status).toBe(201);
    return String((await json(response)).id);
  });
}

const stateOf = async (id: string) => (await json(await call("GET", `/api/runs/${id}`, { token: admin }))).state;

it("an edge that is cut off and comes back loses no run and starts none twice", { timeout: 90_000 }, async () => {
  const connection = await startConnection();
  const edge = await startEdge("edge_pack_a", connection.url);
  const skillId = await offered("edge_pack_a");
  const first = await start(skillId, edge.id, { n: 1, wait: true });
  await expect.poll(edge.starts, patient).toEqual([1]);
  connection.cut();
  // A run requested before the server has dropped the connection would be leased to the edge, and returned as never received.
  await expect.poll(connection.known, patient).toBe(0);
  const others = await Promise.all([2, 3, 4].map((n) => start(skillId, edge.id, { n })));
  edge.open();
  await expect.poll(edge.log, patient).toContain("not delivered, trying again");
  expect([await stateOf(first), ...(await Promise.all(others.map(stateOf)))]).toEqual([
    "running",
    "queued",
    "queued",
    "queued",
  ]);
  connection.restore();
  for (const id of [first, ...others]) await expect.poll(() => stateOf(id), patient).toBe("succeeded");
  expect(edge.starts().sort()).toEqual([1, 2, 3, 4]);
});

it("a run whose lease is over while its edge is away ends as failed, and what the edge says of it later changes nothing", {
  timeout: 90_000,
}, async () => {
  const connection = await startConnection();
  const edge = await startEdge("edge_pack_b", connection.url);
  const skillId = await offered("edge_pack_b");
  const first = await start(skillId, edge.id, { n: 1, wait: true });
  await expect.poll(edge.starts, patient).toEqual([1]);
  connection.cut();
  const later = createCtx({
    actor: { kind: "system", name: "test" },
    database,
    now: () => new Date(Date.now() + 60_000),
  });
  await failLostRuns(later);
  edge.open();
  const second = await start(skillId, edge.id, { n: 2 });
  connection.restore();
  await expect.poll(() => stateOf(second), patient).toBe("succeeded");
  const run = await json(await call("GET", `/api/runs/${first}`, { token: admin }));
  expect(run).toMatchObject({ state: "failed", error: { code: "worker_lost" }, attempt: 1, result: null });
  expect(edge.starts()).toEqual([1, 2]);
  expect(await database.reader.run.count({ where: { skillId } })).toBe(2);
});

/** Starts an edge that is killed once, just before it gets an answer that contains `deadly`. */
async function startMortalEdge(name: string, deadly: string) {
  let armed = false;
  let kill = () => {};
  const killed = new Promise<void>((resolve) => {
    kill = () => resolve();
  });
  const connection = await startConnection((text) => {
    if (!armed || !text.includes(deadly)) return;
    armed = false;
    edge.kill();
    kill();
  });
  const edge = await startEdge(name, connection.url);
  const skillId = await offered(name);
  armed = true;
  return { edge, skillId, killed };
}

const actionsOf = async (runId: string) =>
  (await database.reader.auditEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } })).map(
    ({ action }) => action,
  );

it("a run handed to an edge that has just been killed waits again, and is executed once", {
  timeout: 90_000,
}, async () => {
  const { edge, skillId, killed } = await startMortalEdge("edge_pack_c", '"leases":[{');
  const id = await start(skillId, edge.id, { n: 1 });
  await killed;
  expect(edge.starts()).toEqual([]);
  await edge.restart();
  await expect.poll(() => stateOf(id), patient).toBe("succeeded");
  expect(edge.starts()).toEqual([1]);
  expect(await actionsOf(id)).toEqual(["run.start", "run.lease", "run.return", "run.lease", "run.succeed"]);
});

it("a run whose edge is killed after its acknowledgement was stored ends as lost and is not executed again", {
  timeout: 90_000,
}, async () => {
  const { edge, skillId, killed } = await startMortalEdge("edge_pack_d", '"accepted":[{');
  const id = await start(skillId, edge.id, { n: 1 });
  await killed;
  await edge.restart();
  await expect.poll(() => stateOf(id), patient).toBe("failed");
  const later = await start(skillId, edge.id, { n: 2 });
  await expect.poll(() => stateOf(later), patient).toBe("succeeded");
  expect(edge.starts()).toEqual([2]);
  expect(await database.reader.run.findUnique({ where: { id } })).toMatchObject({ errorCode: "worker_lost" });
});
