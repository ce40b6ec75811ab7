import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { createRandom, type Random } from "@/lib/skill-format/testing/seeded-random";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { root } from "./harness/product-processes";
import { importPack, liftLimits, must, publishSkill } from "./harness/publish-skill";
import type { Faults } from "./harness/start-killable";
import { type Killable, prepareKillable } from "./harness/start-killable";
import { type Description, fromDescription } from "./malformed/from-description";
import { handMade } from "./malformed/hand-made";
import type { Fixture, Input } from "./malformed/input";
import { mutateBytes, mutateText } from "./malformed/mutate";
import { sendInput, startSweep } from "./malformed/send-input";

const INPUTS = 2_000;
const AT_ONCE = 4;
const BLOCK = 100;
const PATIENCE_MS = 2_000;
const HEALTH_EVERY_MS = 250;
const SLOWEST = 5;
/** Keeps the server from sending requests to the internet. */
const NOWHERE = { GITHUB_API_URL: "http://127.0.0.1:9", GITHUB_RAW_URL: "http://127.0.0.1:9" };
/** Allowed when another service, such as a model or a repository, does not answer. */
const OF_OTHERS = new Set([502, 504]);

type Wrong = { what: string; input: string };
type Result = {
  inputs: number;
  byHand: number;
  statuses: Map<string, number>;
  wrong: Wrong[];
  good: number;
  goodAsked: number;
  health: number;
  healthMs: number;
  slowest: { ms: number; input: string }[];
  seconds: number;
};

/**
 * 2,000 malformed requests, some 600 made by hand and the rest derived at random from those and from the server's OpenAPI
 * description: no crash, no 5xx answer, no hang, no file outside the data directory, and every valid import in between
 * works. The controls run a server with occasional crashes, 500 answers, hangs or files elsewhere. `--rounds` is the number
 * of inputs.
 */
export async function benchMalformed({
  quick,
  json,
  rounds,
  database,
  only,
  seed: given,
}: BenchOptions): Promise<void> {
  const seed = seedOf(given);
  const inputs = rounds ?? (quick ? 200 : INPUTS);
  const result = await sendInputs({ seed, inputs, database, faults: () => ({}) });
  const count = (what: string) => result.wrong.filter((wrong) => wrong.what === what).length;
  const statuses = [...result.statuses]
    .sort()
    .map(([status, times]) => `${status} ${times}`)
    .join(", ");
  console.log(
    `malformed: ${result.inputs} inputs, ${result.byHand} of them made by hand, in ${result.seconds.toFixed(0)} s: ${count("crash")} crashes, ${count("5xx")} answers of 5xx, ${count("hang")} hangs, ${count("file")} files outside; ${result.good} of ${result.goodAsked} good imports in between; ${result.health} health checks, ${count("health")} unanswered, slowest ${result.healthMs.toFixed(0)} ms; seed ${seed}`,
  );
  console.log(`Answers: ${statuses}`);
  for (const { ms, input } of result.slowest) console.log(`Slowest: ${ms.toFixed(0)} ms ${input}`);
  for (const { what, input } of result.wrong) console.log(`WRONG ${what}: ${input}`);
  const missed: string[] = [];
  for (const kind of ["crash", "500", "hang", "file"] as const) {
    if (only !== null && !only.includes(kind)) continue;
    const faults = (folder: string): Faults => ({ defect: { kind, every: 40, file: join(folder, "escaped") } });
    const control = await sendInputs({ seed, inputs: 100, database, faults });
    const expected = kind === "500" ? "5xx" : kind;
    const found = control.wrong.filter(({ what }) => what === expected).length;
    console.log(`Control, a server with an occasional ${kind}: ${found} found; more than 0 expected.`);
    if (found === 0) missed.push(kind);
  }
  if (json)
    console.log(JSON.stringify({ bench: "malformed", seed, ...result, statuses: Object.fromEntries(result.statuses) }));
  if (result.wrong.length > 0 || result.good < result.goodAsked || missed.length > 0) process.exitCode = 1;
}

type Plan = { seed: number; inputs: number; database: string | null; faults(folder: string): Faults };

async function sendInputs({ seed, inputs: wanted, database, faults }: Plan): Promise<Result> {
  const product = await prepareKillable({ faultsFor: faults, database, withWorker: false, env: NOWHERE });
  const caller = openCaller(product.url, product.token);
  const result: Result = {
    inputs: 0,
    byHand: 0,
    statuses: new Map(),
    wrong: [],
    good: 0,
    goodAsked: 0,
    health: 0,
    healthMs: 0,
    slowest: [],
    seconds: 0,
  };
  try {
    await product.start();
    let fixture = await createFixture(caller, product, seed);
    const description = await must<Description>(caller, "GET", "/api/openapi.json");
    const sweep = startSweep({ folder: product.folder, marker: fixture.marker, product: root });
    const random = createRandom(seed);
    const made = shuffled(await handMade(fixture), random).slice(0, wanted);
    result.byHand = made.length;
    const startedAt = performance.now();
    const stopHealth = watchHealth(product, result);
    for (let from = 0; from < wanted; from += BLOCK) {
      const block = Array.from(
        { length: Math.min(BLOCK, wanted - from) },
        (_, index) => made[from + index] ?? deriveInput(made, description, fixture, random),
      );
      await sendAll(block, fixture, product, result);
      if (product.webPid() === 0) await product.start();
      result.goodAsked += 1;
      const isGood = await importPack(caller, `good_${from}`, "good").then(
        () => true,
        () => false,
      );
      if (isGood) result.good += 1;
      await liftLimits(caller).catch(() => undefined);
      fixture = await createFixture(caller, product, seed).catch(() => fixture);
    }
    await stopHealth();
    for (const file of new Set(sweep.find())) result.wrong.push({ what: "file", input: file });
    result.seconds = (performance.now() - startedAt) / 1000;
    return result;
  } finally {
    caller.close();
    await product.stop();
  }
}

async function sendAll(block: Input[], fixture: Fixture, product: Killable, result: Result): Promise<void> {
  const pid = product.webPid();
  const late: Input[] = [];
  let next = 0;
  const client = async () => {
    for (let input = block[next++]; input !== undefined; input = block[next++]) {
      if (product.webPid() !== pid) return;
      const { status, isHung, ms } = await sendInput(input, fixture, patienceMs());
      result.slowest = [...result.slowest, { ms, input: describeInput(input).slice(0, 160) }]
        .sort((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST);
      result.inputs += 1;
      const name = status === null ? "no answer" : String(status);
      result.statuses.set(name, (result.statuses.get(name) ?? 0) + 1);
      if (isHung) late.push(input);
      if (status !== null && status >= 500 && !OF_OTHERS.has(status))
        result.wrong.push({ what: "5xx", input: `${status} ${describeInput(input)}` });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  // Other load also makes answers late; an input that really hangs does so alone.
  for (const input of late) {
    if (product.webPid() !== pid) break;
    if ((await sendInput(input, fixture, patienceMs())).isHung)
      result.wrong.push({ what: "hang", input: describeInput(input) });
  }
  if (product.webPid() !== pid)
    result.wrong.push({
      what: "crash",
      input: `among ${block
        .map(({ family }) => family)
        .join("; ")
        .slice(0, 2_000)}`,
    });
}

function patienceMs(): number {
  return PATIENCE_MS * Math.max(1, (loadavg()[0] ?? 0) / cpus().length);
}

function deriveInput(made: Input[], description: Description, fixture: Fixture, random: Random): Input {
  if (random.below(2) === 0) return fromDescription(description, fixture, random);
  const input = made[random.below(made.length)];
  if (input === undefined) return fromDescription(description, fixture, random);
  const family = `${input.family}, mutated`;
  if (input.kind === "raw") return { ...input, family, bytes: mutateBytes(input.bytes, random) };
  const { body } = input;
  if (body === undefined || random.below(4) === 0)
    return { ...input, family, path: `/${mutateText(input.path.slice(1), random)}`.slice(0, 14_000) };
  return { ...input, family, body: typeof body === "string" ? mutateText(body, random) : mutateBytes(body, random) };
}

async function createFixture(caller: Caller, product: Killable, seed: number): Promise<Fixture> {
  await liftLimits(caller);
  const { id } = await must<{ id: string }>(caller, "GET", "/api/me");
  const skillId = await publishSkill(caller, `subject_${Math.random().toString(36).slice(2, 8)}`);
  const { currentVersion } = await must<{ currentVersion: { digest: string } | null }>(
    caller,
    "GET",
    `/api/skills/${skillId}`,
  );
  const run = await must<{ id: string }>(caller, "POST", `/api/skills/${skillId}/runs`, { args: {} });
  return {
    token: product.token,
    host: new URL(product.url).host,
    skillId,
    digest: currentVersion?.digest ?? "",
    runId: run.id,
    userId: id,
    marker: `sgcanary${seed}`,
  };
}

function watchHealth(product: Killable, result: Result): () => Promise<void> {
  const caller = openCaller(product.url, null, 20_000);
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const pid = product.webPid();
      const startedAt = performance.now();
      const status = await caller.call("GET", "/api/health").then(
        (answer) => answer.status,
        () => 0,
      );
      const ms = performance.now() - startedAt;
      if (pid !== 0 && product.webPid() === pid) {
        result.health += 1;
        result.healthMs = Math.max(result.healthMs, ms);
        if (status !== 200) result.wrong.push({ what: "health", input: String(status) });
      }
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
    }
  };
  const ended = watch();
  return async () => {
    isOver = true;
    await ended;
    caller.close();
  };
}

function describeInput(input: Input): string {
  if (input.kind === "raw") return JSON.stringify(Buffer.from(input.bytes.slice(0, 200)).toString("latin1"));
  const body =
    input.body === undefined ? "" : ` ${JSON.stringify(Buffer.from(input.body).toString("latin1").slice(0, 400))}`;
  return `[${input.family}] ${input.method} ${input.path.slice(0, 300)} ${JSON.stringify(input.headers ?? {}).slice(0, 300)}${body}`;
}

function shuffled<T>(items: T[], random: Random): T[] {
  return items
    .map((item) => ({ item, rank: random.below(2 ** 31) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
