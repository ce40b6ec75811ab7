import { setTimeout as delay } from "node:timers/promises";
import { FINAL_STATES, type RunState } from "@/lib/runner/schema";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { importPack, liftLimits, must, publishSkill } from "./harness/publish-skill";
import { clockFileOf, setClock } from "./harness/server-clock";
import { openSignIn } from "./harness/sign-in-client";
import { ADMIN, type Killable, prepareKillable } from "./harness/start-killable";
import { newestEvent, verifyServedAudit } from "./harness/verify-served-audit";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Clock offsets after each jump, in ms: an hour back, a day ahead, and correct again. */
const JUMPS = [-HOUR, DAY, 0];
const RUN_SECONDS = 8;
const AT_ONCE = 2;
/** No jump may cause more events than this; an event storm would write hundreds. */
const MOST_EVENTS = 150;
const LONGEST_LOCK_SECONDS = 15 * 60;
const WATCHED_JOBS = ["lost-runs", "schedules", "scan"];

type Run = {
  id: string;
  state: RunState;
  error?: { message: string } | null;
  attempt: number;
  retryOfId: string | null;
  scheduleId?: string | null;
};
type Wrong = string[];
type Result = {
  jumps: number;
  runs: number;
  lost: number;
  twice: number;
  scheduled: number;
  events: number;
  wrong: Wrong;
  reasons: string[];
};

/**
 * The server's clock jumps an hour back, a day ahead and back to the correct time, while runs, schedules, sessions, locks
 * and links are in use, and once the server is killed right after a jump: nothing is lost, runs twice, stops or floods the
 * audit. The control hides the jumps from the server, whose leases then run out.
 */
export async function benchClock({ json, database, rounds, seed: given }: BenchOptions): Promise<void> {
  const seed = seedOf(given);
  const jumps = Array.from({ length: rounds ?? 1 }, () => JUMPS).flat();
  const result = await testJumps(database, jumps, false);
  const control = await testJumps(database, [DAY], true);
  console.log(
    `clock: ${result.jumps} jumps: ${result.runs} runs under way, ${result.lost} lost, ${result.twice} run twice, ${result.scheduled} started by a schedule, at most ${result.events} events after a jump, ${result.wrong.length} other failures; seed ${seed}`,
  );
  for (const wrong of [...result.wrong, ...result.reasons]) console.log(`WRONG ${wrong}`);
  console.log(`Control, jumps hidden from the server: ${control.lost} runs lost; more than 0 expected.`);
  if (json) console.log(JSON.stringify({ bench: "clock", seed, ...result, control: control.lost }));
  if (result.lost + result.twice + result.wrong.length > 0 || control.lost === 0) process.exitCode = 1;
}

async function testJumps(database: string | null, jumps: number[], isHidden: boolean): Promise<Result> {
  const product = await prepareKillable({
    database,
    env: { SKILLGATE_TRUSTED_PROXIES: "127.0.0.1" },
    faultsFor: (folder) => ({ clockFile: clockFileOf(folder), ...(isHidden ? { isClockHidden: true } : {}) }),
  });
  const caller = openCaller(product.url, product.token, 90_000);
  const result: Result = { jumps: 0, runs: 0, lost: 0, twice: 0, scheduled: 0, events: 0, wrong: [], reasons: [] };
  try {
    await product.start();
    await liftLimits(caller);
    const quick = await publishSkill(caller, "quick");
    const skill = await publishSleeper(caller);
    const schedule = await must<{ id: string }>(caller, "POST", "/api/schedules", {
      name: "each minute",
      skill,
      cron: "* * * * *",
      catchUp: true,
    });
    await until(
      () => must<{ workersOnline: number }>(caller, "GET", "/api/me"),
      ({ workersOnline }) => workersOnline > 0,
      60,
    );
    const since = performance.now();
    let offset = 0;
    for (const jump of jumps) {
      await testJump({ product, caller, quick, skill, schedule: schedule.id, from: offset, to: jump, since, result });
      offset = jump;
    }
    return result;
  } finally {
    caller.close();
    await product.stop();
  }
}

type JumpTest = {
  product: Killable;
  caller: Caller;
  quick: string;
  skill: string;
  schedule: string;
  from: number;
  to: number;
  since: number;
  result: Result;
};

async function testJump({ product, caller, quick, skill, schedule, from, to, since, result }: JumpTest): Promise<void> {
  const name = `${from / HOUR} h to ${to / HOUR} h`;
  const wrong = (what: string) => result.wrong.push(`${name}: ${what}`);
  const cookie = await signIn(product);
  const link = await makeLink(caller, Date.now() + from + 2 * HOUR);
  await lockAccount(product);
  const asked = await Promise.all(
    Array.from({ length: AT_ONCE }, () => must<Run>(caller, "POST", `/api/skills/${skill}/runs`, { args: {} })),
  );
  await until(
    () => Promise.all(asked.map(({ id }) => readRun(caller, id))),
    (runs) => runs.every(({ state }) => state !== "queued"),
    60,
  );
  const events = await newestEvent(caller);
  await setClock(product, to);
  result.jumps += 1;
  result.runs += asked.length;

  const limit = await caller.call("GET", "/api/me");
  if (Number(limit.headers["ratelimit-reset"] ?? 0) > 60)
    wrong(`a limit of a minute ends in ${limit.headers["ratelimit-reset"]} s`);
  const key = { "idempotency-key": `jump-${result.jumps}` };
  const twice = await Promise.all(
    [1, 2].map(() => caller.call("POST", `/api/skills/${skill}/runs`, { json: { args: {} }, headers: key })),
  );
  const made = new Set(twice.filter(({ status }) => status < 300).map(({ text }) => (JSON.parse(text) as Run).id));
  if (made.size > 1) result.twice += 1;
  const isOver = to - from > 12 * HOUR;
  const me = await statusOf(product, "/api/me", { cookie });
  if (me !== (isOver ? 401 : 200)) wrong(`a session of twelve hours answers ${me}`);
  const linkStatus = await statusOf(product, link, {});
  if ((linkStatus === 200) === to - from > 2 * HOUR) wrong(`a link of two hours answers ${linkStatus}`);
  const wait = await lockWaitSeconds(product);
  if (wait > LONGEST_LOCK_SECONDS) wrong(`a lock of a quarter of an hour at most ends in ${wait} s`);

  const ended = await until(
    () => Promise.all([...asked.map(({ id }) => id), ...made].map((id) => readRun(caller, id))),
    (runs) => runs.every(({ state }) => FINAL_STATES.includes(state)),
    RUN_SECONDS * 8,
  ).catch(() => Promise.all(asked.map(({ id }) => readRun(caller, id))));
  const lost = ended.filter(({ state }) => state !== "succeeded");
  result.lost += lost.length;
  for (const { state, error } of lost)
    result.reasons.push(`${name}: a run is ${state}, ${error?.message ?? "without a message"}`);
  const all = await listRuns(caller, skill);
  result.twice += all.filter(({ retryOfId, attempt }) => retryOfId !== null || attempt > 1).length;
  if (result.lost === 0) {
    await checkProgress(caller, quick, wrong);
    await checkSchedule(caller, schedule, to, wrong);
  }
  const now = await newestEvent(caller);
  result.events = Math.max(result.events, now - events);
  if (now - events > MOST_EVENTS) wrong(`${now - events} events`);
  const broken = await verifyServedAudit(caller);
  if (broken !== null) wrong(`the audit log is invalid: ${broken}`);
  const ofSchedule = all.filter(({ scheduleId }) => scheduleId === schedule).length;
  result.scheduled = Math.max(result.scheduled, ofSchedule);
  if (ofSchedule > (performance.now() - since) / MINUTE + 2 * result.jumps + 1)
    wrong(`${ofSchedule} runs of a schedule`);

  if (to < from) await checkRestart(product, caller, wrong);
}

async function checkProgress(caller: Caller, quick: string, wrong: (what: string) => void): Promise<void> {
  for (const job of WATCHED_JOBS) {
    const before = await jobRun(caller, job);
    await until(
      () => jobRun(caller, job),
      (at) => at !== before,
      90,
    ).catch(() => wrong(`the job ${job} does not run any more`));
  }
  const answer = await caller.call("POST", `/api/skills/${quick}/runs`, { json: { args: {}, wait: 40 } });
  const { state } = JSON.parse(answer.text) as Run;
  if (state !== "succeeded") wrong(`a run afterwards is ${state ?? answer.status}`);
}

async function checkSchedule(
  caller: Caller,
  schedule: string,
  offset: number,
  wrong: (what: string) => void,
): Promise<void> {
  const { nextAt } = await must<{ nextAt: string | null }>(caller, "GET", `/api/schedules/${schedule}`);
  const ahead = Date.parse(nextAt ?? "") - (Date.now() + offset);
  if (!(ahead < 2 * MINUTE)) wrong(`a schedule of each minute is due in ${Math.round(ahead / 1000)} s`);
}

/** Kills the server right after a jump: leases of the dead process with a later end must not block the next one. */
async function checkRestart(product: Killable, caller: Caller, wrong: (what: string) => void): Promise<void> {
  await product.killWeb();
  await product.start();
  const [job] = WATCHED_JOBS;
  const before = await jobRun(caller, job ?? "");
  await until(
    () => jobRun(caller, job ?? ""),
    (at) => at !== before,
    100,
  ).catch(() => wrong("background jobs do not run after a restart"));
  await until(
    () => must<{ workersOnline: number }>(caller, "GET", "/api/me"),
    ({ workersOnline }) => workersOnline > 0,
    60,
  );
}

async function publishSleeper(caller: Caller): Promise<string> {
  const { id, digest } = await importPack(caller, "sleeper", "sleeps", `#!/bin/sh\nsleep ${RUN_SECONDS}\nexec cat\n`);
  await must(caller, "POST", `/api/skills/${id}/versions/${digest}/decisions`, { decision: "approve" });
  await must(caller, "PATCH", `/api/skills/${id}`, { enabled: true });
  return id;
}

async function signIn(product: Killable): Promise<string> {
  const client = await openSignIn(product.url);
  const { cookie, status } = await client.guess(ADMIN.email, ADMIN.password, "192.0.2.1");
  client.close();
  if (cookie === null) throw new Error(`the admin could not sign in: ${status}`);
  return cookie;
}

async function makeLink(caller: Caller, until: number): Promise<string> {
  const made = await must<{ url?: string; token?: string }>(caller, "POST", "/api/capability-urls", {
    name: "short",
    expiresAt: new Date(until).toISOString(),
  });
  const base = made.url === undefined ? `/t/${made.token}` : new URL(made.url).pathname.replace(/\/$/, "");
  return `${base}/.well-known/agent-skills/index.json`;
}

async function lockAccount(product: Killable): Promise<void> {
  const client = await openSignIn(product.url);
  for (let count = 0; count < 7; count += 1)
    await client.guess("locked@example.test", "wrong password", `192.0.2.${count + 10}`);
  client.close();
}

async function lockWaitSeconds(product: Killable): Promise<number> {
  const client = await openSignIn(product.url);
  const { retryAfter } = await client.guess("locked@example.test", "wrong password", "192.0.2.99");
  client.close();
  return retryAfter;
}

async function statusOf(product: Killable, path: string, headers: Record<string, string>): Promise<number> {
  const caller = openCaller(product.url, null);
  const { status } = await caller.call("GET", path, { headers });
  caller.close();
  return status;
}

async function jobRun(caller: Caller, name: string): Promise<string | undefined> {
  const { items } = await must<{ items: { name: string; last: { startedAt: string } | null }[] }>(
    caller,
    "GET",
    "/api/admin/jobs",
  );
  return items.find((job) => job.name === name)?.last?.startedAt;
}

const readRun = (caller: Caller, id: string) => must<Run>(caller, "GET", `/api/runs/${id}`);

async function listRuns(caller: Caller, skill: string): Promise<Run[]> {
  return (await must<{ items: Run[] }>(caller, "GET", `/api/runs?limit=100&skill=${skill}`)).items;
}

async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean, seconds: number): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
    if (performance.now() > deadline) throw new Error(`not reached within ${seconds} s`);
    await delay(250);
  }
}
