import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import { approvedSkill } from "@/lib/testing/approved-skill";
import "@/lib/testing/property-seed";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { LEASE_SECONDS, type Lease } from "@/lib/worker/protocol";
import { cancelRun } from "./runs/cancel-runs";
import { failLostRuns } from "./runs/fail-lost-runs";
import { getRun } from "./runs/get-run";
import { startRun } from "./runs/start-run";
import { registerWorker } from "./workers/workers";

const { database, person } = await testDatabase();
const admin = (await person("admin")).ctx;
const time = { ms: Date.now() };
const now = () => new Date(time.ms);
const ctx = { ...admin, now };
const system = createCtx({ actor: { kind: "system", name: "test" }, database, now });
const [safe, mutating] = [
  await approvedSkill(admin, admin, { name: "safe_one" }),
  await approvedSkill(admin, admin, { name: "mutating_one", manifest: { class: "mutating" } }),
];

beforeEach(() =>
  database.writer.run.updateMany({ where: { state: { in: ["queued", "running"] } }, data: { state: "expired" } }),
);

async function queue(skill = mutating): Promise<string> {
  const started = await startRun(ctx, skill.id, { args: { text: "x" }, wait: 0, confirm: true });
  if ("dryRun" in started) throw new Error("a dry run");
  return started.run.id;
}

const worker = () => testWorker(database, { now });
type TestWorker = Awaited<ReturnType<typeof worker>>;
const lease = async ({ say }: TestWorker, slots = 1) => (await say({ slots, acknowledges: true })).leases;
const keyOf = ({ runId, fence }: Lease) => ({ runId, fence });
const registers = ({ ctx: as }: TestWorker) =>
  registerWorker(as, { name: "w", version: "1", platform: "p", pid: 1, slots: 4, isolation: "sandbox" });
const pass = (seconds = LEASE_SECONDS + 1) => (time.ms += seconds * 1000);

async function actionsOf(runId: string): Promise<string[]> {
  const events = await database.reader.auditEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } });
  return events.map(({ action }) => action);
}

test("a lease that a dead worker has not acknowledged goes back to the queue; one that it has ends as lost", async () => {
  const [dead, other] = [await worker(), await worker()];
  const runId = await queue();
  const [first] = await lease(dead);
  expect(first).toMatchObject({ runId, fence: 1, barrier: true });
  pass();
  expect(await failLostRuns(system)).toBe(1);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "queued", worker: null, startedAt: null, error: null });
  const [second] = await lease(other);
  if (!first || !second) throw new Error("no lease");
  expect(second).toMatchObject({ runId, fence: 2 });
  expect(await dead.say({ started: [keyOf(first)], holding: [keyOf(first)] })).toMatchObject({
    cancel: [{ runId, fence: 1 }],
  });
  expect(await other.say({ started: [keyOf(second)] })).toMatchObject({ accepted: [keyOf(second)] });
  pass();
  await failLostRuns(system);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
  expect(await actionsOf(runId)).toEqual(["run.start", "run.lease", "run.return", "run.lease", "run.fail"]);
});

test("a worker that starts anew finds what it had not acknowledged in the queue", async () => {
  const edge = await worker();
  const [kept, begun] = [await queue(), await queue()];
  const leases = await lease(edge, 2);
  const acknowledged = leases.find(({ runId }) => runId === begun);
  if (acknowledged === undefined) throw new Error("no lease");
  await edge.say({ started: [keyOf(acknowledged)] });
  await registers(edge);
  expect(await getRun(ctx, kept)).toMatchObject({ state: "queued", error: null });
  expect(await getRun(ctx, begun)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("a worker that does not acknowledge keeps its meaning: what it was handed counts as started", async () => {
  const old = await worker();
  const runId = await queue();
  const [given] = await old.lease();
  expect(given?.barrier).toBeUndefined();
  pass();
  await failLostRuns(system);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("a safe run needs no barrier, and what is heard of it is its acknowledgement", async () => {
  const edge = await worker();
  const runId = await queue(safe);
  const [given] = await lease(edge);
  if (given === undefined) throw new Error("no lease");
  expect(given.barrier).toBeUndefined();
  const items = [{ seq: 1, at: now().toISOString(), stream: "stderr" as const, text: "begun" }];
  await edge.say({ events: [{ ...keyOf(given), items }] });
  pass();
  await failLostRuns(system);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("an acknowledgement of a cancelled run is not accepted, and without its worker the run ends as cancelled", async () => {
  const edge = await worker();
  const runId = await queue();
  const [given] = await lease(edge);
  if (given === undefined) throw new Error("no lease");
  await cancelRun(ctx, runId);
  const answer = await edge.say({ started: [keyOf(given)], holding: [keyOf(given)] });
  expect(answer.accepted).toBeUndefined();
  expect(answer.cancel).toMatchObject([keyOf(given)]);
  pass();
  await failLostRuns(system);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "cancelled" });
});

test("a worker that hangs up while it is handed work leaves none behind", async () => {
  const edge = await worker();
  const runId = await queue();
  const gone = new AbortController();
  gone.abort();
  const { leases } = await edge.say({ slots: 1, waitSeconds: 1, acknowledges: true }, gone.signal);
  expect(leases).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "queued" });
});

test("a run that ends its workers before they acknowledge it does not go on for ever", async () => {
  const runId = await queue();
  for (let turn = 0; turn < 10; turn += 1) {
    await lease(await worker());
    pass();
    await failLostRuns(system);
  }
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test.each([
  ["gives it back", (given: Lease) => ({ returned: [keyOf(given)] })],
  ["says that it never got it", () => ({ unanswered: ["a"] })],
])("a run that its worker has acknowledged ends when it %s, and no other worker gets it", async (_how, lie) => {
  const [liar, other] = [await worker(), await worker()];
  const runId = await queue();
  const [given] = (await liar.say({ slots: 1, acknowledges: true, ask: "a" })).leases;
  if (given === undefined) throw new Error("no lease");
  expect(await liar.say({ started: [keyOf(given)] })).toMatchObject({ accepted: [keyOf(given)] });
  await liar.say(lie(given));
  expect(await lease(other)).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
  expect(await actionsOf(runId)).toEqual(["run.start", "run.lease", "run.fail"]);
});

test("what counts as started when it is handed over is not queued again on the word of its worker", async () => {
  const [old, other] = [await worker(), await worker()];
  const [runId, safeId] = [await queue(), await queue(safe)];
  const leases = await old.lease(2);
  const ofSafe = leases.find((one) => one.runId === safeId);
  if (ofSafe === undefined) throw new Error("no lease");
  const items = [{ seq: 1, at: now().toISOString(), stream: "stderr" as const, text: "begun" }];
  await old.say({ events: [{ ...keyOf(ofSafe), items }] });
  await old.say({ returned: leases.map(keyOf) });
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
  expect(await getRun(ctx, safeId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
  const retried = await database.reader.run.findFirstOrThrow({ where: { retryOfId: safeId } });
  expect((await lease(other, 4)).map((one) => one.runId)).toEqual([retried.id]);
});

test("a lease of an old worker that no answer carried waits again", async () => {
  const old = await worker();
  const runId = await queue();
  const gone = new AbortController();
  gone.abort();
  await old.say({ slots: 1, waitSeconds: 1 }, gone.signal);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "queued" });
});

test("a run that each worker gives back does not go on for ever", async () => {
  const edge = await worker();
  const runId = await queue();
  for (let turn = 0; turn < 10; turn += 1) await edge.say({ returned: (await lease(edge)).map(keyOf) });
  expect(await lease(edge)).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

/**
 * A worker that follows the protocol: it starts a run with a barrier only after the server has accepted the acknowledgement.
 */
class Modelled {
  held = new Map<string, { lease: Lease; isStarted: boolean }>();
  asks = new Set<string>();
  readonly at: TestWorker;
  readonly isOld: boolean;
  readonly executed: (runId: string) => void;
  readonly told: Set<string>;

  constructor(at: TestWorker, isOld: boolean, executed: (runId: string) => void, told: Set<string>) {
    this.at = at;
    this.isOld = isOld;
    this.executed = executed;
    this.told = told;
  }

  /** `isLost`: the worker never receives the answer. */
  async exchange({ isLost, starts }: { isLost: boolean; starts: boolean }) {
    const all = [...this.held.values()];
    const waiting = all
      .filter(({ lease: { barrier }, isStarted }) => barrier && !isStarted)
      .map((one) => keyOf(one.lease));
    if (starts) for (const { runId } of waiting) this.told.add(runId);
    const ask = newId();
    this.asks.add(ask);
    const answer = await this.at.say({
      ask,
      slots: 1,
      holding: all.map((one) => keyOf(one.lease)),
      ...(this.isOld ? {} : { acknowledges: true, ...(starts ? { started: waiting } : {}) }),
    });
    if (isLost) return;
    for (const { runId, fence } of answer.accepted ?? []) this.start(runId, fence);
    for (const { runId, fence } of answer.cancel)
      if (this.held.get(runId)?.lease.fence === fence) this.held.delete(runId);
    for (const given of answer.leases) {
      this.held.set(given.runId, { lease: given, isStarted: false });
      if (!given.barrier) this.start(given.runId, given.fence);
    }
  }

  start(runId: string, fence: number) {
    const one = this.held.get(runId);
    if (one === undefined || one.isStarted || one.lease.fence !== fence) return;
    one.isStarted = true;
    this.executed(runId);
  }

  async end() {
    const done = [...this.held.values()].find(({ isStarted }) => isStarted);
    if (done === undefined) return;
    this.held.delete(done.lease.runId);
    await this.at.complete(done.lease, { result: "done" });
  }

  /** Claims to have started nothing, although its runs go on. */
  async lie(how: "returned" | "unanswered") {
    const returned = [...this.held.values()].map((one) => keyOf(one.lease));
    await this.at.say(how === "returned" ? { returned } : { unanswered: [...this.asks] });
    this.asks.clear();
  }

  /** A new process of the worker replaces it. */
  async restart() {
    this.held.clear();
    await registers(this.at);
  }
}

const ACTS = ["ask", "ask", "ask", "acknowledge", "acknowledge", "end", "restart", "wait", "late", "cancel"] as const;
const step = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom(...ACTS, "returned" as const, "unanswered" as const),
  isLost: fc.boolean(),
});

test("with lost messages, restarted workers and false reports, a mutating run starts at most once, and one that cannot have started is never “lost”", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const executed = new Map<string, number>();
      const told = new Set<string>();
      const note = (runId: string) => executed.set(runId, (executed.get(runId) ?? 0) + 1);
      const workers = [
        new Modelled(await worker(), false, note, told),
        new Modelled(await worker(), false, note, told),
        new Modelled(await worker(), true, note, told),
      ];
      const ids = [await queue(), await queue(), await queue()];
      const handedToOld = new Set<string>();
      for (const { who, what, isLost } of steps) {
        const one = workers[who] ?? workers[0];
        if (what === "ask") await one?.exchange({ isLost, starts: false });
        if (what === "acknowledge") await one?.exchange({ isLost, starts: true });
        if (what === "end") await one?.end();
        if (what === "restart") await one?.restart();
        if (what === "returned" || what === "unanswered") await one?.lie(what);
        if (what === "wait") pass(5);
        if (what === "late") pass();
        if (what === "cancel" && ids[who] !== undefined) await cancelRun(ctx, ids[who]).catch(() => undefined);
        await failLostRuns(system);
        const ofOld = { workerId: workers[2]?.at.id ?? "", id: { in: ids } };
        for (const { id } of await database.reader.run.findMany({ where: ofOld })) handedToOld.add(id);
      }
      for (const id of ids) {
        expect(executed.get(id) ?? 0).toBeLessThanOrEqual(1);
        const run = await database.reader.run.findUniqueOrThrow({ where: { id } });
        // A run can only have been started if the server knew, or if it went to a worker that does not acknowledge.
        if (run.errorCode === "worker_lost") expect(told.has(id) || handedToOld.has(id) || run.fence === 10).toBe(true);
        if (run.state === "succeeded") expect(executed.get(id)).toBe(1);
      }
      await database.writer.run.updateMany({ where: { id: { in: ids } }, data: { state: "expired" } });
    }),
    { numRuns: 40 },
  );
}, 120_000);
