import { expect, test, vi } from "vitest";
import type { Grants } from "@/lib/policy/grants/schema";
import type { Isolation } from "@/lib/policy/worker-allowance";
import { HARMLESS_ENV, WorkerAllowance } from "@/lib/policy/worker-allowance";
import { decideVersion } from "@/lib/review/decide-version";
import { getRun } from "@/lib/runner/runs/get-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { StartRunInput } from "@/lib/runner/schema";
import { listWorkers, registerWorker } from "@/lib/runner/workers/workers";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";

async function world() {
  const { person, database } = await testDatabase();
  const { ctx } = await person("admin");
  const reviewer = await person("reviewer");
  const skill = async (grants?: Grants, name = "reader"): Promise<string> => {
    const upload = await zipUpload(name, packFiles({ manifest: { name } }));
    const [made] = (await importSkills(ctx, { ...upload, owner: "me" })).skills;
    const [id, digest] = [made?.id ?? "", made?.pendingVersion?.digest ?? ""];
    await decideVersion(reviewer.ctx, id, digest, { decision: "approve", comment: "", ...(grants && { grants }) });
    await updateSkill(ctx, id, { enabled: true });
    return id;
  };
  const start = (id: string, input: Partial<StartRunInput> = {}) =>
    startRun(ctx, id, StartRunInput.parse({ args: { text: "hi" }, ...input }));
  const begin = async (id: string, input: Partial<StartRunInput> = {}): Promise<string> => {
    const started = await start(id, input);
    if ("dryRun" in started) throw new Error("it was a dry run");
    return started.run.id;
  };
  const worker = async (allows: Partial<WorkerAllowance> = {}, isolation: "process" | "sandbox" = "sandbox") => {
    const made = await testWorker(database, { isolation });
    const register = (now: Partial<WorkerAllowance>) =>
      registerWorker(made.ctx, {
        name: "w",
        version: "1",
        platform: "linux",
        pid: 1,
        slots: 4,
        isolation,
        allows: WorkerAllowance.parse({ env: HARMLESS_ENV, ...now }),
      });
    await register(allows);
    return { ...made, name: `worker-${made.id}`, register };
  };
  return { ctx, database, skill, start, begin, worker };
}

const DATA: Grants = { paths: [{ path: "/srv/data", mode: "ro" }] };

test("a run that no worker may serve is refused, naming the worker and the variable", async () => {
  const { skill, start, begin, worker } = await world();
  const id = await skill(DATA);
  const { name } = await worker({ paths: ["/srv/other", "/srv/dat"] });
  const detail =
    `The worker “${name}” does not allow the path /srv/data. Its operator can allow it with SKILLGATE_WORKER_PATHS; ` +
    "then start the run again.";
  await expect(start(id)).rejects.toMatchObject({ code: "worker_does_not_allow", status: 409, message: detail });
  expect(await start(id, { dryRun: true })).toMatchObject({
    dryRun: { ok: false, outcome: "refuse", rule: "worker_does_not_allow", reason: detail },
  });
  const other = await worker({ env: [] });
  await expect(start(id)).rejects.toMatchObject({
    code: "worker_does_not_allow",
    message: expect.stringMatching(
      new RegExp(`No worker allows .*“${name}”: the path /srv/data.*“${other.name}”: the path`),
    ),
  });
  const able = await worker({ paths: ["/srv"] });
  const runId = await begin(id);
  await expect(start(id, { workerId: other.id })).rejects.toMatchObject({
    message: expect.stringContaining(`The worker “${other.name}” does not allow`),
  });
  expect((await able.lease()).map((lease) => lease.runId)).toEqual([runId]);
});

test.each<[string, Grants, Partial<WorkerAllowance>, string]>([
  ["a path", DATA, { paths: ["/srv"] }, "the path /srv/data.*SKILLGATE_WORKER_PATHS"],
  ["a variable", { env: ["API_KEY"] }, { env: ["API_*"] }, "variable API_KEY.*SKILLGATE_WORKER_ENV"],
  [
    "a capability",
    { capabilities: ["CAP_NET_RAW"] },
    { capabilities: ["CAP_NET_RAW"] },
    "CAP_NET_RAW.*SKILLGATE_WORKER_LINUX_CAPABILITIES",
  ],
  ["a namespace", { namespaces: ["pid"] }, { namespaces: ["pid"] }, "pid namespace.*SKILLGATE_WORKER_NAMESPACES"],
  [
    "an address",
    { network: ["10.0.0.7:80"] },
    { proxy: true, ranges: ["10.0.0.0/8"] },
    "10.0.0.7.*SKILLGATE_WORKER_RANGES",
  ],
  ["the network", { network: true }, { proxy: true }, "the network"],
  ["a host", { network: ["example.org"] }, { proxy: true }, "the network"],
])("%s needs its operator's key", async (_what, grants, allows, said) => {
  const { skill, start, worker } = await world();
  const id = await skill(grants);
  const refusing = await worker({ proxy: grants.network !== true && !JSON.stringify(grants).includes("example") });
  await expect(start(id)).rejects.toMatchObject({ message: expect.stringMatching(new RegExp(said)) });
  await refusing.register(allows);
  expect(await start(id)).toMatchObject({ run: { state: "queued" } });
});

test("what no setting opens is refused with every worker, and says that a reviewer has to take it out", async () => {
  const { skill, start, worker } = await world();
  const id = await skill({ capabilities: ["CAP_DAC_READ_SEARCH"] });
  await worker({ capabilities: ["CAP_DAC_READ_SEARCH"] });
  await expect(start(id)).rejects.toMatchObject({
    code: "worker_does_not_allow",
    message: expect.stringMatching(/CAP_DAC_READ_SEARCH, which no setting allows\. .*reviewer/),
  });
});

test("a run without grants, and one with harmless variables, needs no key", async () => {
  const { database, skill, begin, worker } = await world();
  const [plain, harmless] = [await skill(undefined, "plain"), await skill({ env: ["LANG", "LC_ALL", "TZ"] }, "tz")];
  const { lease } = await worker();
  const reads = [database.readSql, database.writeSql].map((sql) => vi.spyOn(sql, "all"));
  const ids = [await begin(plain), await begin(harmless)];
  expect((await lease(5)).map(({ runId }) => runId)).toEqual(ids);
  // Most runs have no grants, so the server must not read worker allowances for them.
  const texts = reads.flatMap(({ mock }) => mock.calls.map(([query]) => query.text.sqlite));
  vi.restoreAllMocks();
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes(`"offers"`))).toEqual([]);
});

test("without a worker online it waits, and ends named at the first that comes and does not allow it", async () => {
  const { ctx, skill, begin, worker } = await world();
  const runId = await begin(await skill(DATA));
  const { name, lease } = await worker();
  expect(await lease()).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({
    state: "failed",
    startedAt: null,
    error: { code: "worker_does_not_allow", message: expect.stringContaining(`The worker “${name}” does not allow`) },
  });
});

test("a worker that allows less than before gets it no more", async () => {
  const { ctx, skill, begin, worker } = await world();
  const id = await skill(DATA);
  const { register, lease } = await worker({ paths: ["/srv/data"] });
  const first = await begin(id);
  expect((await lease()).map(({ runId }) => runId)).toEqual([first]);
  const second = await begin(id);
  await register({});
  expect(await lease()).toEqual([]);
  expect(await getRun(ctx, second)).toMatchObject({ state: "failed", error: { code: "worker_does_not_allow" } });
});

test("a worker leaves to another what only the other allows, and goes on with what stands behind it", async () => {
  const { ctx, skill, begin, worker } = await world();
  const [reads, sends, plain] = [await skill(DATA, "reads"), await skill({ network: true }, "sends"), await skill()];
  const [narrow, wide] = [await worker(), await worker({ paths: ["/srv"], proxy: true })];
  const left = [await begin(reads), await begin(sends), await begin(reads)];
  const taken = await begin(plain);
  expect((await narrow.lease()).map(({ runId }) => runId)).toEqual([taken]);
  expect(await narrow.lease(5)).toEqual([]);
  for (const runId of left) expect(await getRun(ctx, runId)).toMatchObject({ state: "queued" });
  expect((await wide.lease(5)).map(({ runId }) => runId)).toEqual(left);
});

test("it is not left to a worker that allows it and may not run its class", async () => {
  const { ctx, skill, database, begin, start, worker } = await world();
  const id = await skill(DATA);
  await worker({ paths: ["/srv"] }, "process");
  const strong = await worker();
  const runId = await begin(id);
  await database.writer.worker.updateMany({ where: { isolation: "process" }, data: { isolation: "none" } });
  expect(await strong.lease()).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ error: { code: "worker_does_not_allow" } });
  await expect(start(id)).rejects.toMatchObject({ code: "worker_does_not_allow" });
});

test("what names a worker is not left to another", async () => {
  const { ctx, skill, begin, worker } = await world();
  const named = await worker({ paths: ["/srv"] });
  await worker({ paths: ["/srv"] });
  const runId = await begin(await skill(DATA), { workerId: named.id });
  await named.register({});
  expect(await named.lease()).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "failed", error: { code: "worker_does_not_allow" } });
});

async function isolationWorld() {
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
  const { ctx, start, begin, worker } = await isolationWorld();
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
  const { ctx, begin, worker } = await isolationWorld();
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
  const { ctx, begin, worker } = await isolationWorld();
  const [bare, boxed] = [await worker("none"), await worker("sandbox")];
  await bare.online();
  await boxed.online();
  const runId = await begin();
  expect(await bare.lease()).toEqual([]);
  expect(await getRun(ctx, runId)).toMatchObject({ state: "queued" });
  expect((await boxed.lease()).map((lease) => lease.runId)).toEqual([runId]);
});

test("admins see what each worker’s sandbox consists of", async () => {
  const { ctx, worker } = await isolationWorld();
  const boxed = await worker("sandbox");
  await boxed.online();
  expect((await listWorkers(ctx)).items).toMatchObject([
    { id: boxed.id, isolation: "sandbox", isolationFacts: ["It is sandbox."] },
  ]);
});

test("a user id of its own is enough for a safe run, and for others once an admin allows them", async () => {
  const { ctx, start, worker } = await isolationWorld();
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
  const { ctx, start, worker } = await isolationWorld();
  const [weak, strong] = [await worker("process"), await worker("namespaces")];
  await weak.online();
  await strong.online();
  const { id } = await approvedSkill(ctx, ctx, { manifest: { name: "changer", class: "mutating" } });
  await start({ confirm: true }, id);
  await start();
  expect((await weak.lease(5)).map((lease) => lease.skillName)).toEqual(["echo_args"]);
  expect((await strong.lease(5)).map((lease) => lease.skillName)).toEqual(["changer"]);
});
