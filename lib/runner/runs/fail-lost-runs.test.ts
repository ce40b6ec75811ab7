import { expect, test } from "vitest";
import { createCtx } from "@/lib/db/context";
import { readLeasedBlob } from "@/lib/runner/leases/lease-runs";
import { registerWorker } from "@/lib/runner/workers/workers";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import type { Lease } from "@/lib/worker/protocol";
import { cancelRun } from "./cancel-runs";
import { failLostRuns } from "./fail-lost-runs";
import { getRun } from "./get-run";
import { startRun } from "./start-run";

const { person, database } = await testDatabase();
const user = await person();
const reviewer = await person("reviewer");
const skill = await approvedSkill(user.ctx, reviewer.ctx);

async function startAndLease() {
  await finishAll();
  const started = await startRun(user.ctx, skill.id, { args: { text: "x" }, wait: 0 });
  const worker = await testWorker(database);
  const [lease] = await worker.lease();
  if (!("run" in started) || !lease) throw new Error("nothing was leased");
  return { runId: started.run.id, worker, lease };
}

/** Executes all runs that earlier tests left queued. */
async function finishAll() {
  const worker = await testWorker(database);
  for (const lease of await worker.lease(100)) await worker.complete(lease, {});
}

const retriesOf = (runId: string) => database.reader.run.findMany({ where: { retryOfId: runId } });

const later = (seconds: number) =>
  createCtx({ actor: { kind: "system", name: "sweep" }, database, now: () => new Date(Date.now() + seconds * 1000) });

test("a run whose worker falls silent ends as failed, with the reason, and not before its lease is over", async () => {
  const { runId } = await startAndLease();
  expect(await failLostRuns(later(5))).toBe(0);
  expect(await failLostRuns(later(16))).toBe(1);
  expect(await getRun(user.ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
});

test("a safe run whose worker was lost is tried once more, as a run of its own, and not a third time", async () => {
  const { runId } = await startAndLease();
  await failLostRuns(later(16));
  const first = await getRun(user.ctx, runId);
  expect(first.error?.message).toMatch(/tried once more\.$/);
  const [retry, ...others] = await retriesOf(runId);
  expect(others).toEqual([]);
  expect(await getRun(user.ctx, retry?.id ?? "")).toMatchObject({
    state: "queued",
    attempt: 2,
    retryOfId: runId,
    args: first.args,
    versionDigest: first.versionDigest,
    caller: first.caller,
  });
  const told = await database.reader.auditEvent.findMany({ where: { runId: retry?.id ?? "" } });
  expect(told.map(({ action }) => action)).toEqual(["run.retry"]);

  const worker = await testWorker(database);
  expect(await worker.lease()).toMatchObject([{ runId: retry?.id }]);
  await failLostRuns(later(16));
  const second = await getRun(user.ctx, retry?.id ?? "");
  expect(second).toMatchObject({ state: "failed", error: { code: "worker_lost" } });
  expect(second.error?.message).not.toContain("once more");
  expect(await retriesOf(second.id)).toEqual([]);
});

test("a retry runs to its end and leaves the lost run as it ended", async () => {
  const { runId } = await startAndLease();
  await failLostRuns(later(16));
  const worker = await testWorker(database);
  const [lease] = await worker.lease();
  await worker.complete(lease as Lease, { result: { second: true } });
  expect(await getRun(user.ctx, lease?.runId ?? "")).toMatchObject({ state: "succeeded", retryOfId: runId });
  expect(await getRun(user.ctx, runId)).toMatchObject({ state: "failed", attempt: 1 });
});

test.each(["mutating", "dangerous"])("a %s run whose worker was lost is never tried again", async (runClass) => {
  const { runId } = await startAndLease();
  await database.writer.run.update({ where: { id: runId }, data: { class: runClass } });
  await failLostRuns(later(16));
  expect((await getRun(user.ctx, runId)).error?.message).not.toContain("once more");
  expect(await retriesOf(runId)).toEqual([]);
});

test("a run that its caller cancelled is not tried again when its worker is lost", async () => {
  const { runId } = await startAndLease();
  await cancelRun(user.ctx, runId, "enough");
  await failLostRuns(later(16));
  expect(await retriesOf(runId)).toEqual([]);
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
  expect(await retriesOf(runId)).toMatchObject([{ state: "queued", attempt: 2 }]);
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
  await finishAll();
  const workers = await Promise.all([testWorker(database), testWorker(database), testWorker(database)]);
  for (let index = 0; index < 6; index++)
    await startRun(user.ctx, skill.id, { args: { text: String(index) }, wait: 0 });
  const leases = (await Promise.all(workers.map((worker) => worker.lease(4)))).flat();
  expect(leases).toHaveLength(6);
  expect(new Set(leases.map((lease) => lease.runId)).size).toBe(6);
});
