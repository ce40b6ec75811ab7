import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { type Probe, startProbe } from "../../lib/testing/start-probe";
import { apiOf, shellPack, until } from "../fixtures/api";
import { type App, isAlive, startApp } from "../fixtures/start-app";

const RUNS = 200;
const AT_ONCE = 8;
const KILLS = { web: 3, worker: 3 };
const SEED = 20_261_121;
const FINAL = ["succeeded", "failed", "cancelled", "rejected", "expired"];

type RunRow = {
  id: string;
  state: string;
  args: { text: string };
  attempt: number;
  retryOfId: string | null;
  startedAt: string | null;
};
type Api = ReturnType<typeof apiOf>;

let app: App;
let folder: string;
let probe: Probe;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "skillgate-kills-"));
  app = await startApp({ env: { SKILLGATE_WORKER_PATHS: folder } });
  chmodSync(folder, 0o755);
  probe = startProbe(folder);
});

test.afterEach(async () => {
  await app.stop();
  app.remove();
  probe.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("no run is lost and no mutating attempt starts twice while server and worker are killed at random", async () => {
  test.setTimeout(300_000);
  const api = apiOf(app);
  const skills = [await installProbe(api, "once", "mutating"), await installProbe(api, "again", "safe")];
  const random = seeded(SEED);
  const kills = shuffle(
    Object.entries(KILLS).flatMap(([name, times]) => Array<keyof typeof KILLS>(times).fill(name as keyof typeof KILLS)),
    random,
  );
  const points = kills.map(() => Math.floor(random() * RUNS)).sort((a, b) => a - b);

  let next = 0;
  let asked = 0;
  const ask = async () => {
    for (let number = next++; number < RUNS; number = next++) {
      await startOnce(skills[number % 2] as string, `run-${number}`);
      asked += 1;
    }
  };
  const kill = async () => {
    for (const [index, name] of kills.entries()) {
      await until(
        () => asked,
        (count) => count >= Math.min(points[index] ?? 0, RUNS - 1),
        120,
      );
      const pid = await until(
        () => app.children()[name],
        (found) => found > 0,
        60,
      );
      process.kill(pid, "SIGKILL");
      await until(
        () => isAlive(pid),
        (alive) => !alive,
      );
    }
  };
  await Promise.all([kill(), ...Array.from({ length: AT_ONCE }, ask)]);

  const runs = await until(
    () => listRuns(api, skills),
    (rows) => rows.every(({ state }) => FINAL.includes(state)),
    120,
  );
  const texts = Array.from({ length: RUNS }, (_, number) => `run-${number}`);
  const rowsOf = (text: string) => runs.filter(({ args }) => args.text === text);
  const starts = countBy(await probe.read());
  expect(
    texts.filter((text) => rowsOf(text).length === 0),
    "runs that are missing",
  ).toEqual([]);
  const repeatsOf = (text: string) =>
    Math.max(0, (starts.get(text) ?? 0) - rowsOf(text).filter(({ startedAt }) => startedAt !== null).length);
  const [mutating, safe] = [0, 1].map((skill) => texts.filter((_, number) => number % 2 === skill)) as [
    string[],
    string[],
  ];
  expect(
    mutating.filter((text) => repeatsOf(text) > 0),
    "mutating runs with more starts than attempts",
  ).toEqual([]);
  // A safe run starts without waiting for the server's acknowledgement: one that a kill cuts off before it is queued again.
  const repeats = safe.reduce((sum, text) => sum + repeatsOf(text), 0);
  expect(repeats, "safe runs with more starts than attempts").toBeLessThanOrEqual(
    KILLS.worker * availableParallelism(),
  );
  const unseen = texts.filter(
    (text) => (starts.get(text) ?? 0) < rowsOf(text).filter(({ state }) => state === "succeeded").length,
  );
  expect(unseen, "runs that succeeded without a start").toEqual([]);
  expect(
    [...starts.keys()].filter((text) => !texts.includes(text)),
    "starts without a request",
  ).toEqual([]);
  const ends = await countEnds(api, skills);
  expect(
    runs.filter(({ id }) => ends.get(id) !== 1).map(({ id, state }) => ({ id, state, ends: ends.get(id) })),
    "runs without exactly one end",
  ).toEqual([]);
  // The killed processes were working, and most runs still finished.
  expect(runs.filter(({ state }) => state === "succeeded").length).toBeGreaterThan(RUNS / 2);
});

/** Imports a pack that reports each of its starts to the probe. Returns the skill's id. */
async function installProbe(api: Api, name: string, skillClass: string): Promise<string> {
  const script = `#!/bin/sh\nread -r args || true\ntext=\${args#*:\\"}\necho "\${text%%\\"*}" > ${probe.pipe}\necho "$args"\n`;
  const skill = await api.importPack(name, shellPack(name, script, { class: skillClass }));
  const { isolation } = await until(
    () => api.json("GET", "/api/me"),
    (me) => me.workersOnline > 0,
  );
  // Other isolations show the whole host, so single paths cannot be granted there.
  const grants =
    isolation === "sandbox" || isolation === "namespaces"
      ? { grants: { paths: [{ path: probe.pipe, mode: "ro" }] } }
      : {};
  await api.json("POST", `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}/decisions`, {
    decision: "approve",
    ...grants,
  });
  await api.json("PATCH", `/api/skills/${skill.id}`, { enabled: true });
  return skill.id;
}

/** Repeats the request until the server answers; the idempotency key makes it one run. */
async function startOnce(skill: string, text: string): Promise<void> {
  const api = apiOf(app, undefined, { "idempotency-key": text });
  await until(
    () =>
      api.send("POST", `/api/skills/${skill}/runs`, { args: { text }, confirm: true, wait: 0 }).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => {
      if (status >= 400 && status < 500 && status !== 409) throw new Error(`${text} was answered with ${status}`);
      return status > 0 && status < 300;
    },
    60,
  );
}

async function listRuns(api: Api, skills: string[]): Promise<RunRow[]> {
  const pages = await Promise.all(skills.map((skill) => readAll<RunRow>(api, `/api/runs?limit=100&skill=${skill}`)));
  return pages.flat();
}

async function countEnds(api: Api, skills: string[]): Promise<Map<string, number>> {
  const pages = await Promise.all(
    skills.map((skill) =>
      readAll<{ action: string; runId: string | null }>(api, `/api/audit?limit=100&action=run&skill=${skill}`),
    ),
  );
  const ended = pages
    .flat()
    .filter(({ action }) => ["run.succeed", "run.fail", "run.end", "run.refuse"].includes(action));
  return countBy(ended.map(({ runId }) => runId ?? ""));
}

async function readAll<T>(api: Api, address: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { items: T[]; nextCursor: string | null } = await until(
      () => api.json("GET", `${address}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`).catch(() => null),
      (answer) => answer !== null,
      60,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

function countBy(names: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Reproducible numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffle<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
