import { expect, it } from "vitest";
import { cancelRun } from "@/lib/runner/runs/cancel-runs";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";

const { database, person } = await testDatabase();
const admin = (await person("admin")).ctx;
const skill = await approvedSkill(admin, admin);

async function queue(): Promise<string> {
  const started = await startRun(admin, skill.id, { args: { text: "x" }, wait: 0 });
  if ("dryRun" in started) throw new Error("a dry run");
  return started.run.id;
}

it("a lease in an answer that never came goes back to the queue, and what is said under it later is ignored", async () => {
  const worker = await testWorker(database);
  const runId = await queue();
  const [lost] = (await worker.say({ slots: 1, ask: "a" })).leases;
  expect(lost?.runId).toBe(runId);
  const { leases } = await worker.say({ slots: 1, ask: "b", unanswered: ["a"] });
  expect(leases).toMatchObject([{ runId, fence: 2 }]);
  if (lost) await worker.complete(lost, { result: "stale" });
  expect(await getRun(admin, runId)).toMatchObject({ state: "running", result: null });
  if (leases[0]) await worker.complete(leases[0], { result: "once" });
  expect(await getRun(admin, runId)).toMatchObject({ state: "succeeded", result: "once" });
});

it("a request that was given up gets no lease any more, although the server still holds it", async () => {
  const worker = await testWorker(database);
  const held = worker.say({ slots: 1, ask: "c", waitSeconds: 0.3 });
  await worker.say({ unanswered: ["c"] });
  const runId = await queue();
  expect((await held).leases).toEqual([]);
  expect(await worker.lease()).toMatchObject([{ runId, fence: 1 }]);
});

it("a worker cannot take back what another one holds", async () => {
  const [worker, other] = [await testWorker(database), await testWorker(database)];
  const runId = await queue();
  await worker.say({ slots: 1, ask: "d" });
  await other.say({ unanswered: ["d"] });
  expect(await getRun(admin, runId)).toMatchObject({ state: "running", worker: { id: worker.id } });
});

it("a lease that its worker gives back waits again, and is handed out with a higher fence", async () => {
  const [worker, other] = [await testWorker(database), await testWorker(database)];
  const runId = await queue();
  const [given] = await worker.lease();
  expect(given).toMatchObject({ runId, fence: 1 });
  const returned = [{ runId, fence: 1 }];
  await other.say({ returned });
  await worker.say({ returned: [{ runId, fence: 0 }] });
  expect(await getRun(admin, runId)).toMatchObject({ state: "running", worker: { id: worker.id } });
  await worker.say({ returned });
  expect(await getRun(admin, runId)).toMatchObject({ state: "queued", worker: null, startedAt: null });
  expect(await other.lease()).toMatchObject([{ runId, fence: 2 }]);
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { runId, action: "run.return" } });
  expect(event.summary).toMatch(/^gave back .+, which is queued again$/);
});

it("a lease that is cancelled is not queued again when it is given back", async () => {
  const worker = await testWorker(database);
  const runId = await queue();
  await worker.lease();
  await cancelRun(admin, runId);
  await worker.say({ returned: [{ runId, fence: 1 }] });
  expect(await getRun(admin, runId)).toMatchObject({ state: "running" });
  expect(await worker.lease()).toEqual([]);
});
