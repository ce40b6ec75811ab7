import { expect, test } from "vitest";
import { awaitOffer, offerWork } from "@/lib/core/wake-bus";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { startRun } from "./runs/start-run";

const { database, person } = await testDatabase();
const [owner, reviewer] = [await person(), await person("reviewer")];
const skill = await approvedSkill(owner.ctx, reviewer.ctx);
const start = async () => {
  const started = await startRun(owner.ctx, skill.id, { args: { text: "x" }, wait: 0 });
  if (!("run" in started)) throw new Error("a dry run");
  return started.run;
};

/** Waits until an exchange waits for work: that takes a few turns of the event loop, and no input. */
async function untilItWaits(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("an offer goes once to the caller that has waited longest, and never to one that withdrew", () => {
  const taken: string[] = [];
  const [first, second, third] = ["first", "second", "third"].map((name) => awaitOffer(() => taken.push(name)));
  second?.();
  offerWork();
  offerWork();
  offerWork();
  expect(taken).toEqual(["first", "third"]);
  first?.();
  third?.();
});

test("a worker that waits has the run in the commit that stores it, fenced and on the record", async () => {
  const worker = await testWorker(database);
  const waiting = worker.say({ slots: 2, waitSeconds: 20 });
  await untilItWaits();
  const run = await start();
  expect(run.state).toBe("running");
  const { leases } = await waiting;
  expect(leases).toMatchObject([{ runId: run.id, fence: 1 }]);
  const [lease] = leases;
  if (lease) await worker.complete(lease, {});
  const events = await database.reader.auditEvent.findMany({ where: { runId: run.id }, orderBy: { seq: "asc" } });
  expect(events.map(({ action }) => action)).toEqual(["run.start", "run.lease", "run.succeed"]);
});

test("a run that the waiting worker may not take stays in the queue for another", async () => {
  const host = await testWorker(database, { manager: false });
  const hangUp = new AbortController();
  const waiting = host.say({ slots: 2, waitSeconds: 20 }, hangUp.signal);
  await untilItWaits();
  const run = await start();
  expect(run.state).toBe("queued");
  const manager = await testWorker(database);
  expect(await manager.lease()).toMatchObject([{ runId: run.id, fence: 1 }]);
  hangUp.abort();
  expect((await waiting).leases).toEqual([]);
});
