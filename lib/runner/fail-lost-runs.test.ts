import { expect, test } from "vitest";
import { createCtx } from "@/lib/db/context";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { failLostRuns } from "./fail-lost-runs";
import { getRun } from "./get-run";
import { readLeasedBlob } from "./read-leased-blob";
import { registerWorker } from "./register-worker";
import { startRun } from "./start-run";

const { person, database } = await testDatabase();
const user = await person();
const reviewer = await person("reviewer");
const skill = await approvedSkill(user.ctx, reviewer.ctx);

async function startAndLease() {
  const started = await startRun(user.ctx, skill.id, { args: { text: "x" }, wait: 0 });
  const worker = await testWorker(database);
  const [lease] = await worker.lease();
  if (!("run" in started) || !lease) throw new Error("nothing was leased");
  return { runId: started.run.id, worker, lease };
}

const later = (seconds: number) =>
  createCtx({ actor: { kind: "system", name: "sweep" }, database, now: () => new Date(Date.now() + seconds * 1000) });

test("a run whose worker falls silent ends as failed, with the reason, and not before its lease is over", async () => {
  const { runId } = await startAndLease();
  expect(await failLostRuns(later(5))).toBe(0);
  expect(await failLostRuns(later(16))).toBe(1);
  expect(await getRun(user.ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("what a worker says of a run it has lost changes nothing", async () => {
  const { runId, worker, lease } = await startAndLease();
  await failLostRuns(later(16));
  await worker.complete(lease, { result: { late: true } });
  expect(await getRun(user.ctx, runId)).toMatchObject({ state: "failed", result: null });
  expect((await worker.say({ holding: [{ runId, fence: lease.fence }] })).cancel).toMatchObject([{ runId }]);
});

test("a heartbeat keeps the lease", async () => {
  const { runId, worker, lease } = await startAndLease();
  worker.ctx.now = () => new Date(Date.now() + 10_000);
  await worker.say({ holding: [{ runId, fence: lease.fence }] });
  expect(await failLostRuns(later(16))).toBe(0);
  expect((await getRun(user.ctx, runId)).state).toBe("running");
  await worker.complete(lease, {});
});

test("a worker that starts anew gives up at once what it held before", async () => {
  const { runId, worker } = await startAndLease();
  await registerWorker(worker.ctx, {
    name: "w",
    version: "1",
    platform: "linux",
    pid: 1,
    slots: 1,
    isolation: "sandbox",
    isolationFacts: [],
  });
  expect(await getRun(user.ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("a worker reads the blobs of its own leases only, and only while it holds them", async () => {
  const { worker, lease } = await startAndLease();
  const sha256 = lease.files[0]?.sha256 ?? "";
  expect(await readLeasedBlob(worker.ctx, sha256)).toBeInstanceOf(Uint8Array);
  const other = await testWorker(database);
  await expect(readLeasedBlob(other.ctx, sha256)).rejects.toMatchObject({ code: "not_found" });
  await worker.complete(lease, {});
  await expect(readLeasedBlob(worker.ctx, sha256)).rejects.toMatchObject({ code: "not_found" });
});

test("two workers that ask at once never get the same run", async () => {
  const workers = await Promise.all([testWorker(database), testWorker(database), testWorker(database)]);
  for (let index = 0; index < 6; index++)
    await startRun(user.ctx, skill.id, { args: { text: String(index) }, wait: 0 });
  const leases = (await Promise.all(workers.map((worker) => worker.lease(4)))).flat();
  expect(leases).toHaveLength(6);
  expect(new Set(leases.map((lease) => lease.runId)).size).toBe(6);
});
