import { expect, test } from "vitest";
import type { Isolation } from "@/lib/policy/isolation";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { StartRunInput } from "@/lib/runner/schema";
import { listWorkers, registerWorker } from "@/lib/runner/workers/workers";
import { updateSettings } from "@/lib/settings/update-settings";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";

async function world() {
  const { person, database } = await testDatabase();
  const { ctx } = await person("admin");
  const { id } = await approvedSkill(ctx, ctx);
  const start = (input: Partial<StartRunInput> = {}, skillId = id) =>
    startRun(ctx, skillId, StartRunInput.parse({ args: { text: "hi" }, ...input }));
  const begin = async () => {
    const started = await start();
    if ("dryRun" in started) throw new Error("it was a dry run");
    return started.run.id;
  };
  const worker = async (isolation: Isolation) => {
    const made = await testWorker(database, { isolation });
    const online = () =>
      registerWorker(made.ctx, {
        name: "w",
        version: "1",
        platform: "linux",
        pid: 1,
        slots: 4,
        isolation,
        isolationFacts: [`It is ${isolation}.`],
      });
    return { ...made, online };
  };
  return { ctx, start, begin, worker };
}

test("what only a worker without a sandbox could take is refused until an admin allows its class", async () => {
  const { ctx, start, begin, worker } = await world();
  const bare = await worker("none");
  await bare.online();
  await expect(start()).rejects.toMatchObject({
    code: "no_isolation",
    status: 409,
    message: expect.stringMatching(/Install bubblewrap .* safeWithoutSandbox, under Settings/),
  });
  expect(await start({ dryRun: true })).toMatchObject({ dryRun: { ok: false, rule: "no_isolation" } });
  await updateSettings(ctx, { mutatingWithoutSandbox: true, dangerousWithoutSandbox: true });
  await expect(start()).rejects.toMatchObject({ code: "no_isolation" });
  await updateSettings(ctx, { safeWithoutSandbox: true });
  const runId = await begin();
  expect((await bare.lease()).map((lease) => lease.runId)).toEqual([runId]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "running", isolation: "none" });
});

test("a run that waited ends, named, when the first worker to come has no sandbox", async () => {
  const { ctx, begin, worker } = await world();
  const runId = await begin();
  const bare = await worker("none");
  await bare.online();
  expect(await bare.lease()).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({
    state: "failed",
    error: { code: "no_isolation", message: expect.stringContaining("safeWithoutSandbox") },
    startedAt: null,
  });
});

test("a worker without a sandbox leaves runs to one that has it", async () => {
  const { ctx, begin, worker } = await world();
  const [bare, boxed] = [await worker("none"), await worker("sandbox")];
  await bare.online();
  await boxed.online();
  const runId = await begin();
  expect(await bare.lease()).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "queued" });
  expect((await boxed.lease()).map((lease) => lease.runId)).toEqual([runId]);
});

test("admins see what each worker’s sandbox consists of", async () => {
  const { ctx, worker } = await world();
  const boxed = await worker("sandbox");
  await boxed.online();
  expect((await listWorkers(ctx)).items).toMatchObject([
    { id: boxed.id, isolation: "sandbox", isolationFacts: ["It is sandbox."] },
  ]);
});

test("a user id of its own is enough for a safe run, and for others once an admin allows them", async () => {
  const { ctx, start, worker } = await world();
  const weak = await worker("process");
  await weak.online();
  expect(await start()).toMatchObject({ run: { state: "queued" } });
  const { id } = await approvedSkill(ctx, ctx, { manifest: { name: "changer", class: "mutating" } });
  await expect(start({ confirm: true }, id)).rejects.toMatchObject({
    code: "no_isolation",
    message: expect.stringContaining("mutatingWithoutSandbox"),
  });
  await updateSettings(ctx, { mutatingWithoutSandbox: true });
  expect(await start({ confirm: true }, id)).toMatchObject({ run: { state: "queued" } });
});

test("a weak worker leaves to a strong one only what it may not run itself", async () => {
  const { ctx, start, worker } = await world();
  const [weak, strong] = [await worker("process"), await worker("namespaces")];
  await weak.online();
  await strong.online();
  const { id } = await approvedSkill(ctx, ctx, { manifest: { name: "changer", class: "mutating" } });
  await start({ confirm: true }, id);
  await start();
  expect((await weak.lease(5)).map((lease) => lease.skillName)).toEqual(["echo_args"]);
  expect((await strong.lease(5)).map((lease) => lease.skillName)).toEqual(["changer"]);
});
