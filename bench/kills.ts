import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Random, seededRandom } from "@/lib/audit/testing/tamper-audit";
import { FINAL_STATES, type RunState } from "@/lib/runner/schema";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { type Acknowledged, type Load, openRecorder, type PendingValues, startLoad } from "./harness/mixed-load";
import { liftLimits, listAll, must, publishSkill } from "./harness/publish-skill";
import type { Faults } from "./harness/start-killable";
import { type Killable, prepareKillable } from "./harness/start-killable";
import { verifyServedAudit } from "./harness/verify-served-audit";

const KILLS = 100;
const CONTROL_KILLS = 5;
/** A kill comes after a random number of acknowledged writes and ms; `PATIENCE_MS` limits the wait for writes. */
const [MOST_WRITES, MOST_MS, PATIENCE_MS] = [30, 100, 20_000];
const EARLY_MS = 400;

type Result = {
  kills: Record<"server" | "start" | "worker" | "both", number>;
  acknowledged: number;
  lost: Acknowledged[];
  failedStarts: string[];
  verified: number;
  unverified: string[];
  startsMs: number[];
  unfinished: number;
  counts: Map<string, number>;
  refused: Map<string, number>;
};

/**
 * Kills the server, its start and the worker a hundred times with SIGKILL, under changes of every kind. Acknowledged
 * changes are recorded in a file, which is read while the server is dead: after each start all of them must exist and the
 * audit must verify. The control acknowledges changes before they are made. `--rounds` is the number of kills.
 */
export async function benchKills({ quick, json, rounds, database, seed: given }: BenchOptions): Promise<void> {
  const seed = seedOf(given);
  const kills = rounds ?? (quick ? 6 : KILLS);
  const result = await runKills({ seed, kills, database, faults: {} });
  const control = await runKills({
    seed,
    kills: Math.min(kills, CONTROL_KILLS),
    database,
    faults: { acknowledgeEarlyMs: EARLY_MS },
  });
  const starts = [...result.startsMs].sort((a, b) => a - b);
  const second = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
  const { server, start, worker, both } = result.kills;
  console.log(
    `kills: ${server + start + worker + both} kills (server ${server}, during its start ${start}, worker ${worker}, both ${both}): ${result.acknowledged} writes acknowledged, ${result.lost.length} lost; ${result.startsMs.length} starts, ${result.failedStarts.length} failed, median ${second(starts[starts.length >> 1])} s, longest ${second(starts.at(-1))} s; audit verified ${result.verified} times, ${result.unverified.length} times not; runs without an end ${result.unfinished}; seed ${seed}`,
  );
  console.log(
    `Writes: ${[...result.counts].map(([kind, times]) => `${kind} ${times}`).join(", ")}; refused: ${[...result.refused].map(([kind, times]) => `${kind} (${times})`).join(", ") || "none"}`,
  );
  for (const { kind, id, value } of result.lost.slice(0, 20)) console.log(`LOST ${kind} ${id}: ${value}`);
  for (const line of [...result.failedStarts, ...result.unverified]) console.log(`WRONG ${line}`);
  console.log(
    `Control, changes acknowledged ${EARLY_MS} ms before they are made: ${control.lost.length} lost; more than 0 expected.`,
  );
  if (json)
    console.log(
      JSON.stringify({
        bench: "kills",
        seed,
        ...result,
        counts: Object.fromEntries(result.counts),
        control: control.lost.length,
      }),
    );
  const wrong = result.lost.length + result.failedStarts.length + result.unverified.length + result.unfinished;
  if (wrong > 0 || result.acknowledged === 0 || control.lost.length === 0) process.exitCode = 1;
}

type Plan = { seed: number; kills: number; database: string | null; faults: Faults };

async function runKills({ seed, kills, database, faults }: Plan): Promise<Result> {
  const random = seededRandom(seed);
  const product = await prepareKillable({ database, faultsFor: () => faults });
  const recorder = openRecorder(join(product.folder, "recorder"));
  const caller = openCaller(product.url, product.token);
  const result: Result = {
    kills: { server: 0, start: 0, worker: 0, both: 0 },
    acknowledged: 0,
    lost: [],
    failedStarts: [],
    verified: 0,
    unverified: [],
    startsMs: [],
    unfinished: 0,
    counts: new Map(),
    refused: new Map(),
  };
  try {
    result.startsMs.push(await product.start());
    await liftLimits(caller);
    const runnable = await publishSkill(caller, "runnable");
    const pending: PendingValues = new Map();
    for (let kill = 0; kill < kills; kill += 1) {
      const load = startLoad({ caller, recorder, random, runnable, pending, round: kill });
      await untilWritten(load, Math.floor(random() * MOST_WRITES));
      await delay(random() * MOST_MS);
      const isServerDead = await killRandomProcess(product, random, result);
      await load.stop();
      addCounts(result.counts, load.counts);
      addCounts(result.refused, load.refused);
      if (!isServerDead) continue;
      const acknowledged = recorder.read();
      result.acknowledged = acknowledged.filter(({ kind }) => kind !== "revoking").length;
      await product.start().then(
        (ms) => result.startsMs.push(ms),
        (error: Error) => result.failedStarts.push(error.message),
      );
      console.error(`${kill + 1} of ${kills}: ready after ${(result.startsMs.at(-1) ?? 0).toFixed(0)} ms`);
      if (product.webPid() === 0) break;
      result.lost.push(...(await findLost(caller, acknowledged, pending)));
      await verify(caller, result);
    }
    result.acknowledged = recorder.read().length;
    if (product.webPid() !== 0) {
      result.lost.push(...(await findLost(caller, recorder.read(), pending)));
      result.unfinished = await countUnfinished(caller, recorder.read().filter(({ kind }) => kind === "run").length);
    }
    result.lost = [...new Map(result.lost.map((write) => [JSON.stringify(write), write])).values()];
    return result;
  } finally {
    recorder.close();
    caller.close();
    await product.stop();
  }
}

/** Kills at random; a third of the kills hit a start. Returns whether the server is dead now. */
async function killRandomProcess(product: Killable, random: Random, result: Result): Promise<boolean> {
  const chance = random();
  if (chance < 1 / 3) {
    await product.killWeb();
    const usual = result.startsMs.reduce((total, ms) => total + ms, 0) / result.startsMs.length;
    await product.startAndKill(random() * usual);
    result.kills.start += 1;
    return true;
  }
  if (chance < 1 / 2) {
    await product.killWorker();
    result.kills.worker += 1;
    return false;
  }
  const isBoth = chance < 2 / 3;
  await Promise.all([product.killWeb(), ...(isBoth ? [product.killWorker()] : [])]);
  result.kills[isBoth ? "both" : "server"] += 1;
  return true;
}

async function verify(caller: Caller, result: Result): Promise<void> {
  const wrong = await verifyServedAudit(caller).catch((error: Error) => error.message);
  if (wrong === null) result.verified += 1;
  else result.unverified.push(`the audit log is invalid: ${wrong}`);
}

/** Counts runs that do not end by themselves within two minutes and 100 ms per run. */
async function countUnfinished(caller: Caller, runs: number): Promise<number> {
  const patienceMs = 120_000 + runs * 100;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const open = (await listAll<{ state: RunState }>(caller, "/api/runs")).filter(
      ({ state }) => !FINAL_STATES.includes(state),
    );
    if (open.length === 0 || performance.now() > deadline) return open.length;
    await delay(1_000);
  }
}

async function untilWritten({ counts }: Load, writes: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const written = () => [...counts.values()].reduce((total, times) => total + times, 0);
  while (written() < writes && performance.now() < deadline) await delay(5);
}

function addCounts(into: Map<string, number>, more: Map<string, number>): void {
  for (const [kind, times] of more) into.set(kind, (into.get(kind) ?? 0) + times);
}

type Skill = {
  id: string;
  tags: string[];
  enabled: boolean;
  currentVersion: { digest: string } | null;
  pendingVersion: { digest: string } | null;
};

/** Acknowledged changes that do not exist. Changes that were pending when the server died may replace them. */
async function findLost(caller: Caller, acknowledged: Acknowledged[], pending: PendingValues): Promise<Acknowledged[]> {
  const skills = await byId<Skill>(caller, "/api/skills");
  const runs = await byId<{ id: string }>(caller, "/api/runs");
  const tokens = await byId<{ id: string; revokedAt: string | null }>(caller, "/api/tokens");
  const { values } = await must<{ values: Record<string, unknown> }>(caller, "GET", "/api/admin/settings");
  const latest = new Map(acknowledged.map((write) => [`${write.kind} ${write.id}`, write]));
  const revoked = new Set(acknowledged.filter(({ kind }) => kind === "revoking").map(({ id }) => id));

  const isThere = ({ kind, id, value }: Acknowledged): boolean => {
    const skill = skills.get(id);
    const may = [value, ...(pending.get(`${kind} ${id}`) ?? [])];
    if (kind === "revoking") return true;
    if (kind === "run") return runs.has(id);
    if (kind === "token") return revoked.has(id) || tokens.has(id);
    if (kind === "revoked") return (tokens.get(id)?.revokedAt ?? "gone") !== null;
    if (kind === "setting") return may.includes(String(values[id]));
    if (skill === undefined) return false;
    if (kind === "tags") return may.includes(skill.tags[0] ?? "");
    if (kind === "enabled") return may.includes(String(skill.enabled));
    if (kind === "decision") return skill.currentVersion?.digest === value;
    return [skill.currentVersion?.digest, skill.pendingVersion?.digest].includes(value);
  };
  return [...latest.values()].filter((write) => !isThere(write));
}

async function byId<T extends { id: string }>(caller: Caller, path: string): Promise<Map<string, T>> {
  return new Map((await listAll<T>(caller, path)).map((item) => [item.id, item]));
}
