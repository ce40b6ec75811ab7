import { expect, test } from "vitest";
import { updateUser } from "@/lib/auth/people/users";
import { authenticateBearer } from "@/lib/auth/sessions/authenticate-request";
import { createToken, revokeToken } from "@/lib/auth/tokens/tokens";
import { decideVersion } from "@/lib/review/decide-version";
import { getSettings } from "@/lib/settings/settings";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { findNamedSkill, visibleTo } from "@/lib/skills/skill-access";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { getRun } from "./get-run";
import { listRuns } from "./list-runs";
import { loadRun, loadWaiting, requireRun, runsVisibleTo, withNames } from "./load-runs";
import { startRun } from "./start-run";
import { streamEvents } from "./stream-events";

const { as, database, outside, person } = await testDatabase();
const [owner, reviewer, stranger, admin] = [
  await person(),
  await person("reviewer"),
  await person(),
  await person("admin"),
];
const skill = await approvedSkill(owner.ctx, reviewer.ctx, { manifest: { env_allow: ["LANG"] } });
const worker = await testWorker(database);

async function start(): Promise<string> {
  const started = await startRun(owner.ctx, skill.id, { args: { text: "x" }, wait: 0 });
  if (!("run" in started)) throw new Error("a dry run");
  return started.run.id;
}

async function reasonOf(runId: string): Promise<string | null> {
  await worker.lease(4);
  return (await getRun(owner.ctx, runId)).error?.message ?? null;
}

test("plain statements read what Prisma reads: a run in each of its states, what waits, and the skill", async () => {
  const id = await start();
  const prisma = () => database.reader.run.findUniqueOrThrow({ where: { id }, include: withNames });
  expect((await loadRun(owner.ctx, id))?.run).toEqual(await prisma());
  const wanted = { workerId: worker.id, scopes: ["manager", "host"], leftToOthers: [] };
  expect(await loadWaiting(owner.ctx, wanted, 5)).toEqual(
    await database.reader.run.findMany({
      where: { id },
      include: { skill: true, version: { include: { files: { orderBy: { path: "asc" } }, decisions: true } } },
    }),
  );
  const [lease] = await worker.lease();
  expect((await loadRun(owner.ctx, id))?.run).toEqual(await prisma());
  if (lease) await worker.complete(lease, { warm: true, sandboxMs: 1.5, cpuMs: 2 });
  expect(await prisma()).toMatchObject({ state: "succeeded", warm: true, sandboxMs: 1.5, timedOut: false });
  expect((await loadRun(owner.ctx, id))?.run).toEqual(await prisma());
  const found = await database.reader.skill.findUniqueOrThrow({
    where: { id: skill.id },
    include: { current: true, pending: true },
  });
  expect(await findNamedSkill(owner.ctx, skill.id)).toEqual(found);
  expect(await findNamedSkill(owner.ctx, skill.id.toUpperCase())).toEqual(found);
});

test("what waits is what its worker may take, the oldest first", async () => {
  const [first, second] = [await start(), await start()];
  const ids = async (wanted: Partial<Parameters<typeof loadWaiting>[1]>, limit = 5) => {
    const all = { workerId: worker.id, scopes: ["manager", "host"], leftToOthers: [], ...wanted };
    return (await loadWaiting(owner.ctx, all, limit)).map(({ id }) => id);
  };
  expect(await ids({})).toEqual([first, second]);
  expect(await ids({}, 1)).toEqual([first]);
  expect(await ids({ scopes: ["host"] })).toEqual([]);
  expect(await ids({ leftToOthers: [{ class: "safe", scopes: ["manager", "host"] }] })).toEqual([]);
  expect(await ids({ leftToOthers: [{ class: "safe", scopes: ["host"] }] })).toEqual([first, second]);
  await database.writer.run.update({ where: { id: first }, data: { targetWorker: worker.id } });
  expect(await ids({ leftToOthers: [{ class: "safe", scopes: ["manager", "host"] }] })).toEqual([first]);
  expect(await ids({ workerId: "another" })).toEqual([second]);
  await database.writer.run.updateMany({ where: { state: "queued" }, data: { state: "expired" } });
});

test("an agent sees the runs of its own person, and not those of other people of a skill that its person owns", async () => {
  const agent = await agentOf(admin.ctx, owner, { permissionMode: "read-only" });
  const started = await startRun(reviewer.ctx, skill.id, { args: { text: "private" }, wait: 0 });
  if (!("run" in started)) throw new Error("a dry run");
  const [own, other] = [await start(), started.run.id];
  expect((await requireRun(owner.ctx, other)).id).toBe(other);
  expect((await requireRun(agent.ctx, own)).id).toBe(own);
  await expect(requireRun(agent.ctx, other)).rejects.toMatchObject({ code: "not_found" });
  await expect(streamEvents(agent.ctx, other, 0, AbortSignal.timeout(5_000)).next()).rejects.toMatchObject({
    code: "not_found",
  });
  const listed = (await listRuns(agent.ctx, { limit: 50 })).items.map(({ id }) => id);
  expect([listed.includes(own), listed.includes(other)]).toEqual([true, false]);
  expect((await listRuns(owner.ctx, { limit: 50 })).items.map(({ id }) => id)).toContain(other);
  await database.writer.run.updateMany({ where: { state: "queued" }, data: { state: "expired" } });
});

test("who sees a run or a skill is the same by either way", async () => {
  const id = await start();
  for (const { ctx, actor } of [owner, reviewer, stranger, admin]) {
    if (actor.kind !== "user") continue;
    const where = { AND: [{ id }, runsVisibleTo(actor)] };
    const run = await database.reader.run.findFirst({ where });
    expect(
      await requireRun(ctx, id).then(
        (found) => found.id,
        () => undefined,
      ),
    ).toBe(run?.id);
    const seen = await database.reader.skill.findFirst({ where: { AND: [{ id: skill.id }, visibleTo(actor)] } });
    expect(
      await findNamedSkill(ctx, skill.id).then(
        (found) => found.id,
        () => undefined,
      ),
    ).toBe(seen?.id);
  }
  await database.writer.run.updateMany({ where: { state: "queued" }, data: { state: "expired" } });
});

test("nothing that was kept from one run lets the next one through", async () => {
  await start();
  await updateSkill(owner.ctx, skill.id, { enabled: false });
  await expect(start()).rejects.toMatchObject({ code: "not_approved" });
  await updateSkill(owner.ctx, skill.id, { enabled: true });
  const [first, second] = [await start(), await start()];
  await outside(`UPDATE "Version" SET "grants" = '{"network":true}'`);
  await expect(start()).rejects.toMatchObject({ code: "not_approved" });
  expect(await reasonOf(first)).toMatch(/not what was approved/);
  await outside(`UPDATE "Version" SET "grants" = (SELECT "grants" FROM "Decision" WHERE "versionId" = "Version"."id")`);
  expect(await reasonOf(second)).toMatch(/not what was approved/);
  const third = await start();
  await outside(`UPDATE "VersionFile" SET "mode" = '644'`);
  expect(await reasonOf(third)).toMatch(/list of files/);
  await outside(`UPDATE "VersionFile" SET "mode" = '755' WHERE "path" = 'run.sh'`);
  const fourth = await start();
  await decideVersion(reviewer.ctx, skill.id, skill.digest, { decision: "revoke", comment: "not safe after all" });
  await expect(start()).rejects.toMatchObject({ code: "not_approved" });
  expect(await reasonOf(fourth)).toMatch(/no longer stands|switched off|approval/);
});

test("a revoked token, a demoted person and a changed setting count at the very next question", async () => {
  const token = await createToken(admin.ctx, { name: "cli", scopes: ["read", "run"] });
  const ask = () => authenticateBearer(as({ kind: "anonymous" }), token.token);
  expect(await ask()).toMatchObject({ role: "admin" });
  await person("admin", "Second");
  await updateUser((await person("admin")).ctx, { id: admin.id, patch: { role: "user" } });
  expect(await ask()).toMatchObject({ role: "user" });
  await revokeToken(admin.ctx, token.id);
  await expect(ask()).rejects.toMatchObject({ code: "unauthenticated" });
  const other = (await person("admin")).ctx;
  expect((await getSettings(other)).runsPerMinute).not.toBe(7);
  await updateSettings(other, { runsPerMinute: 7 });
  expect((await getSettings(other)).runsPerMinute).toBe(7);
  await outside(`UPDATE "Setting" SET "value" = '9' WHERE "key" = 'runsPerMinute'`);
  expect((await getSettings(other)).runsPerMinute).toBe(9);
});
