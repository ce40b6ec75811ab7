import { seededRandom } from "@/lib/audit/testing/tamper-audit";
import { sha256Hex } from "@/lib/core/hash";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { importPack, liftLimits, must, publishSkill } from "./harness/publish-skill";
import type { Faults } from "./harness/start-killable";
import { prepareKillable } from "./harness/start-killable";

const CLIENTS = 32;
const RACES = 40;
/** The second of two concurrent decisions finds that it was already decided. */
const REFUSED = new Set([409, 412]);

type Update = { before: string; after: string };
type UpdateHistory = {
  asked: number;
  won: Update[];
  refused: number;
  others: Map<number, number>;
  first: string;
  last: string;
};
type RaceResults = { races: number; asked: number; wins: number[]; refused: number; others: Map<number, number> };
type Result = { histories: UpdateHistory[]; races: RaceResults; lost: number; breaks: number; seconds: number };

/**
 * 32 clients change the same skill and the same settings a thousand times each, with `If-Match`, and decide on the same
 * versions. Each accepted update names the state it replaced and the one it made: all must form one chain from the first
 * state to the last, or an update was lost. The control ignores `If-Match`. `--rounds` is the number of updates of each
 * client.
 */
export async function benchEdits({ quick, json, rounds, database, seed: given }: BenchOptions): Promise<void> {
  const seed = seedOf(given);
  const updates = rounds ?? (quick ? 30 : 1_000);
  const result = await runContention({ seed, updates, races: Math.min(RACES, updates), database, faults: {} });
  const control = await runContention({
    seed,
    updates: Math.min(updates, 30),
    races: 0,
    database,
    faults: { ignoreIfMatch: true },
  });
  const { asked, won, refused, others } = sum(result);
  const doubles = result.races.wins.filter((wins) => wins !== 1).length;
  console.log(
    `edits: ${CLIENTS} clients, ${asked} conflicting updates in ${result.seconds.toFixed(0)} s: ${won} won, ${refused} refused with 409 or 412, ${others} otherwise; lost updates ${result.lost}, breaks in the history ${result.breaks}; ${result.races.races} versions decided on by all at once, ${doubles} without exactly one winner; seed ${seed}`,
  );
  console.log(`Control, If-Match ignored: ${control.lost} lost updates; more than 0 expected.`);
  for (const history of [...result.histories, result.races])
    for (const [status, times] of history.others) console.log(`ANSWERED ${status}: ${times} times`);
  const holds = result.lost === 0 && result.breaks === 0 && doubles === 0 && others === 0 && won > 0;
  if (json)
    console.log(
      JSON.stringify({
        bench: "edits",
        seed,
        asked,
        won,
        refused,
        others,
        lost: result.lost,
        doubles,
        control: control.lost,
      }),
    );
  if (!holds || control.lost === 0) process.exitCode = 1;
}

type Plan = { seed: number; updates: number; races: number; database: string | null; faults: Faults };

async function runContention({ seed, updates, races, database, faults }: Plan): Promise<Result> {
  const product = await prepareKillable({ faultsFor: () => faults, database, withWorker: false });
  const caller = openCaller(product.url, product.token);
  try {
    await product.start();
    await liftLimits(caller);
    const id = await publishSkill(caller, "contended");
    await untilScanned(caller, id);
    const random = seededRandom(seed);
    const startedAt = performance.now();
    const ofSkill = (client: number, number: number) =>
      [
        { category: `c${client}-${number}` },
        { tags: [`t${client}-${number}`] },
        { enabled: random() < 0.5 },
        { pinned: random() < 0.5 },
      ][Math.floor(random() * 4)];
    const ofSettings = (client: number, number: number) => ({ instanceName: `Instance ${client}-${number}` });
    const share = Math.ceil(updates / 4);
    const histories = [
      await contend(caller, `/api/skills/${id}`, updates - share, ofSkill),
      await contend(caller, "/api/admin/settings", share, ofSettings),
    ];
    const decided = await raceDecisions(caller, races);
    const seconds = (performance.now() - startedAt) / 1000;
    const lost = histories.reduce((total, history) => total + lostIn(history), 0);
    const breaks = histories.reduce((total, history) => total + breaksIn(history), 0);
    return { histories, races: decided, lost, breaks, seconds };
  } finally {
    caller.close();
    await product.stop();
  }
}

async function contend(
  caller: Caller,
  path: string,
  updates: number,
  change: (client: number, number: number) => unknown,
): Promise<UpdateHistory> {
  const first = await readTag(caller, path);
  const history: UpdateHistory = { asked: 0, won: [], refused: 0, others: new Map(), first, last: first };
  const client = async (_: unknown, index: number) => {
    let tag = first;
    for (let number = 0; number < updates; number += 1) {
      history.asked += 1;
      const json = change(index, number);
      const answer = await caller.call("PATCH", path, { json, headers: { "if-match": tag } });
      if (answer.status === 200) {
        const after = tagOf(answer.text);
        history.won.push({ before: tag, after });
        tag = after;
        continue;
      }
      if (REFUSED.has(answer.status)) history.refused += 1;
      else history.others.set(answer.status, (history.others.get(answer.status) ?? 0) + 1);
      tag = await readTag(caller, path);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  history.last = await readTag(caller, path);
  return history;
}

async function raceDecisions(caller: Caller, races: number): Promise<RaceResults> {
  const result: RaceResults = { races, asked: 0, wins: [], refused: 0, others: new Map() };
  for (let race = 0; race < races; race += 1) {
    const { id, digest } = await importPack(caller, "decided", `version ${race}`);
    const decide = async (_: unknown, client: number) => {
      const decision = client % 2 === 0 ? "approve" : "reject";
      const json = { decision, comment: `by ${client}`, expects: "pending" };
      return caller.call("POST", `/api/skills/${id}/versions/${digest}/decisions`, { json });
    };
    const answers = await Promise.all(Array.from({ length: CLIENTS }, decide));
    result.asked += answers.length;
    result.wins.push(answers.filter(({ status }) => status < 300).length);
    for (const { status } of answers.filter((answer) => answer.status >= 300)) {
      if (REFUSED.has(status)) result.refused += 1;
      else result.others.set(status, (result.others.get(status) ?? 0) + 1);
    }
  }
  return result;
}

function lostIn({ won }: UpdateHistory): number {
  return won.length - new Set(won.map(({ before }) => before)).size;
}

/** Counts replaced states that no update made, and a last state that does not match the chain. */
function breaksIn({ won, first, last }: UpdateHistory): number {
  const made = new Set([first, ...won.map(({ after }) => after)]);
  const replaced = new Set(won.map(({ before }) => before));
  const unknown = won.filter(({ before }) => !made.has(before)).length;
  const ends = [...made].filter((tag) => !replaced.has(tag));
  return unknown + (ends.length === 1 && ends[0] === last ? 0 : 1);
}

/** The ETag of a JSON answer; for a PATCH, which has none, it is computed. */
function tagOf(body: string): string {
  return `"${sha256Hex(body).slice(0, 32)}"`;
}

async function readTag(caller: Caller, path: string): Promise<string> {
  const answer = await caller.call("GET", path);
  const tag = answer.headers.etag;
  if (answer.status !== 200 || typeof tag !== "string") throw new Error(`GET ${path} answered ${answer.status}`);
  if (tag !== tagOf(answer.text)) throw new Error(`the ETag of ${path} is made in another way than this bench knows`);
  return tag;
}

async function untilScanned(caller: Caller, id: string): Promise<void> {
  for (;;) {
    const before = await readTag(caller, `/api/skills/${id}`);
    const { scan } = await must<{ scan?: { state?: string } | null }>(caller, "GET", `/api/skills/${id}`);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    if ((scan === undefined || scan?.state !== "running") && before === (await readTag(caller, `/api/skills/${id}`)))
      return;
  }
}

function sum({ histories, races }: Result) {
  const all = [...histories, races];
  const count = (pick: (history: UpdateHistory | RaceResults) => number) =>
    all.reduce((total, history) => total + pick(history), 0);
  return {
    asked: count(({ asked }) => asked),
    won:
      histories.reduce((total, { won }) => total + won.length, 0) + races.wins.reduce((total, wins) => total + wins, 0),
    refused: count(({ refused }) => refused),
    others: count(({ others }) => [...others.values()].reduce((total, times) => total + times, 0)),
  };
}
