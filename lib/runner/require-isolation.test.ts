import { expect, test } from "vitest";
import { updateSettings } from "@/lib/settings/update-settings";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { getRun } from "./get-run";
import { listWorkers } from "./list-workers";
import { registerWorker } from "./register-worker";
import { StartRunInput } from "./schema";
import { startRun } from "./start-run";

async function world() {
  const { person, database } = await testDatabase();
  const { ctx } = await person("admin");
  await updateSettings(ctx, {
    safeWithoutSandbox: false,
    mutatingWithoutSandbox: false,
    dangerousWithoutSandbox: false,
  });
  const { id } = await approvedSkill(ctx, ctx);
  const start = (input: Partial<StartRunInput> = {}) =>
    startRun(ctx, id, StartRunInput.parse({ args: { text: "hi" }, ...input }));
  const begin = async () => {
    const started = await start();
    if ("dryRun" in started) throw new Error("it was a dry run");
    return started.run.id;
  };
  const worker = async (isolation: "none" | "sandbox") => {
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

test("what only a worker without a sandbox could take is refused while the setting of its class is off", async () => {
  const { ctx, start, begin, worker } = await world();
  const bare = await worker("none");
  await bare.online();
  await expect(start()).rejects.toMatchObject({
    code: "no_isolation",
    status: 409,
    message: expect.stringContaining("safeWithoutSandbox"),
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
