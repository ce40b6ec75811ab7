import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FINAL_STATES, type RunState } from "@/lib/runner/schema";
import { createDatabase } from "@/lib/testing/create-database";
import { startProbe } from "@/lib/testing/start-probe";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { importPack, liftLimits, listAll, must } from "./harness/publish-skill";
import { type Killable, prepareKillable } from "./harness/start-killable";

const RUNS = 2_000;
const AT_ONCE = 16;
const PATIENCE_MS = 120_000;

type RunRow = {
  id: string;
  state: RunState;
  startedAt: string | null;
  args: { text: string };
  worker: { name: string } | null;
};
type Checked = { missing: string[]; startedTwice: string[]; unseen: string[]; withoutSuccess: string[] };

/**
 * Two servers with a worker each on one PostgreSQL database share the runs requested from both; one server is killed with
 * its worker half-way. A probe records every start of the program: each run must start once for each of its attempts, and
 * succeed. The control checks the same figures after one start was added and one run removed.
 */
export async function benchInstances({ quick, json, rounds, database }: BenchOptions): Promise<void> {
  if (database === null)
    throw new Error("instances needs --database postgresql://…, a server on which databases may be created.");
  const count = rounds ?? (quick ? 100 : RUNS);
  const fresh = await createDatabase(database, { purpose: "bench" });
  const folder = mkdtempSync(join(tmpdir(), "skillgate-instances-"));
  chmodSync(folder, 0o755);
  const probe = startProbe(folder);
  const keys = join(folder, "keys");
  mkdirSync(keys, { mode: 0o700 });
  const env = { DATABASE_URL: fresh.url, SKILLGATE_KEYS: keys, SKILLGATE_WORKER_PATHS: folder };
  const first = await prepareKillable({ database: null, env });
  const second = await prepareKillable({ database: null, env: { ...env, SKILLGATE_ADMIN_TOKEN: first.token } });
  const servers = [first, second] as const;
  try {
    await first.start();
    await second.start();
    const callers = servers.map(({ url }) => openCaller(url, first.token)) as [Caller, Caller];
    const skill = await publishRecorded(callers[0], probe.pipe);
    const startedAt = performance.now();
    await startRuns({ servers, callers, skill, count, killAt: Math.floor(count / 2) });
    const rows = await waitUntilEnded(callers[0], skill, count);
    const seconds = (performance.now() - startedAt) / 1000;
    const starts = await probe.read();
    const texts = Array.from({ length: count }, (_, number) => `run-${number}`);
    const result = check(texts, rows, starts);
    const control = check(
      texts,
      rows.filter(({ args }) => args.text !== "run-1"),
      [...starts, "run-0"],
    );
    const audit = await must<{ state: string; ok: boolean; checked: number }>(callers[0], "GET", "/api/audit/verify");
    const byWorker = countBy(rows.flatMap(({ worker }) => worker?.name ?? []));
    const wrong = Object.values(result).flat().length;
    console.log(
      `instances: ${count} runs asked of two servers, one killed half-way: ${rows.length} attempts, ${starts.length} starts recorded; missing ${result.missing.length}, started more often than attempted ${result.startedTwice.length}, ended well without a start ${result.unseen.length}, without success ${result.withoutSuccess.length}; by worker ${[...byWorker].map(([name, runs]) => `${name} ${runs}`).join(", ")}; ${(count / seconds).toFixed(0)} runs/s; audit ${audit.ok ? "holds" : "DOES NOT HOLD"} (${audit.checked} events)`,
    );
    for (const [what, list] of Object.entries(result))
      if (list.length > 0) console.log(`WRONG ${what}: ${list.slice(0, 10).join(", ")}`);
    const found = control.missing.includes("run-1") && control.startedTwice.includes("run-0");
    console.log(`Control, one start added and one run left out: ${found ? "both found" : "NOT FOUND"}.`);
    if (json)
      console.log(
        JSON.stringify({
          bench: "instances",
          count,
          wrong: result,
          attempts: rows.length,
          starts: starts.length,
          seconds,
        }),
      );
    if (wrong > 0 || !found || !audit.ok || byWorker.size < 2) process.exitCode = 1;
    for (const caller of callers) caller.close();
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    probe.stop();
    await fresh.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function publishRecorded(caller: Caller, pipe: string): Promise<string> {
  await liftLimits(caller);
  const script = `#!/bin/sh\nread -r args || true\ntext=\${args#*:\\"}\necho "\${text%%\\"*}" > ${pipe}\necho "$args"\n`;
  const { id, digest } = await importPack(caller, "probed", "first", script);
  const grants = { paths: [{ path: pipe, mode: "ro" }] };
  await must(caller, "POST", `/api/skills/${id}/versions/${digest}/decisions`, { decision: "approve", grants });
  await must(caller, "PATCH", `/api/skills/${id}`, { enabled: true });
  return id;
}

type Asked = {
  servers: readonly [Killable, Killable];
  callers: [Caller, Caller];
  skill: string;
  count: number;
  killAt: number;
};

async function startRuns({ servers, callers, skill, count, killAt }: Asked): Promise<void> {
  let next = 0;
  let isKilled = false;
  const client = async () => {
    for (let number = next++; number < count; number = next++) {
      if (number === killAt) {
        isKilled = true;
        await Promise.all([servers[1].killWeb(), servers[1].killWorker()]);
      }
      await startOnce(() => callers[isKilled ? 0 : number % 2] as Caller, skill, `run-${number}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

async function startOnce(caller: () => Caller, skill: string, text: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const options = { json: { args: { text }, wait: 0 }, headers: { "idempotency-key": text } };
    const status = await caller()
      .call("POST", `/api/skills/${skill}/runs`, options)
      .then((answer) => answer.status)
      .catch(() => 0);
    if (status >= 200 && status < 300) return;
    if ((status >= 400 && status < 500 && status !== 409) || performance.now() > deadline)
      throw new Error(`${text} was answered with ${status}`);
    await pause(100);
  }
}

async function waitUntilEnded(caller: Caller, skill: string, count: number): Promise<RunRow[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const rows = await listAll<RunRow>(caller, `/api/runs?skill=${skill}`);
    if (rows.length >= count && rows.every(({ state }) => FINAL_STATES.includes(state))) return rows;
    if (performance.now() > deadline) return rows;
    await pause(500);
  }
}

function check(texts: string[], rows: RunRow[], starts: string[]): Checked {
  const started = countBy(starts);
  const of = (text: string, fits: (row: RunRow) => boolean) =>
    rows.filter((row) => row.args.text === text && fits(row)).length;
  const succeeded = ({ state }: RunRow) => state === "succeeded";
  return {
    missing: texts.filter((text) => of(text, () => true) === 0),
    startedTwice: texts.filter((text) => (started.get(text) ?? 0) > of(text, ({ startedAt }) => startedAt !== null)),
    unseen: texts.filter((text) => (started.get(text) ?? 0) < of(text, succeeded)),
    withoutSuccess: texts.filter((text) => of(text, () => true) > 0 && of(text, succeeded) !== 1),
  };
}

function countBy(names: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
