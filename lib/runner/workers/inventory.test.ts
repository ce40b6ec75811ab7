import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { approveAllTrusted } from "@/lib/review/automatic-approvals";
import { decideVersion } from "@/lib/review/decide-version";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import type { InventoryItem } from "@/lib/worker/protocol";
import { listEdges } from "../edges";
import { startGroup, startRun } from "../runs/start-run";
import { getInventory, requestRescan } from "./inventory";
import { receiveInventory, storeInventoryBlob } from "./receive-inventory";
import { revokeWorker } from "./workers";

const { database, person } = await testDatabase();
const admin = (await person("admin")).ctx;
const user = (await person("user")).ctx;
const folder = mkdtempSync(join(tmpdir(), "skillgate-trusted-"));
process.env.SKILLGATE_DATA = folder;
process.env.SKILLGATE_TRUSTED_DIGESTS = join(folder, "trusted");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trust = (...lines: string[]) => writeFileSync(join(folder, "trusted"), `# ours\n${lines.join("\n")}\n`);
trust();

type Folder = { item: InventoryItem; files: SkillFile[]; digest: string };

function folderOf(files: SkillFile[], name = "pack", kind: InventoryItem["kind"] = "directory"): Folder {
  const hashed = files.map(({ path, mode, bytes }) => ({ path, mode, sha256: sha256Hex(bytes), size: bytes.length }));
  const item = { kind, root: "/etc/skills", path: `/etc/skills/${name}`, files: hashed };
  return { item, files, digest: digestFiles(hashed) };
}

/** Sends a worker's inventory, then the requested files, then the inventory again. */
async function offer(worker: { ctx: Ctx }, ...folders: Folder[]) {
  const request = { items: folders.map(({ item }) => item), problems: [] };
  const first = await receiveInventory(worker.ctx, request);
  const files = folders.flatMap((one) => one.files);
  for (const sha256 of first.need) {
    const file = files.find(({ bytes }) => sha256Hex(bytes) === sha256);
    await storeInventoryBlob(worker.ctx, sha256, new Uint8Array(file?.bytes ?? []));
  }
  return {
    need: first.need,
    ...(first.need.length === 0 ? { answer: first } : { answer: await receiveInventory(worker.ctx, request) }),
  };
}

const only = <T>(items: T[]): T => {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`${items.length} items, not one`);
  return item;
};

it("a folder comes in as a pending version of the organisation's skill, and the same bytes make no second one", async () => {
  const worker = await testWorker(database);
  const pack = folderOf(packFiles({ name: "first_pack" }));
  const { need, answer } = await offer(worker, pack);
  expect(need).toHaveLength(2);
  const skill = only(answer.skills);
  expect(skill).toMatchObject({ name: "first_pack", versionDigest: pack.digest, state: "pending" });
  expect(await getSkill(admin, skill.skillId)).toMatchObject({
    ...{
      source: "worker",
      owner: { kind: "org" },
      enabled: false,
      currentVersion: null,
      scope: "manager",
      offered: true,
    },
    sourceId: expect.stringMatching(/^worker:worker-.*:\/etc\/skills\/pack$/),
    pendingVersion: { digest: pack.digest, number: 1, state: "pending" },
  });
  const again = await offer(worker, pack);
  expect([again.need, again.answer.skills]).toEqual([[], answer.skills]);
  expect(await database.reader.version.count({ where: { skillId: skill.skillId } })).toBe(1);
});

it("an update is a new pending version, and the approved one keeps serving", async () => {
  const worker = await testWorker(database);
  const before = folderOf(packFiles({ name: "updated" }));
  const { skillId } = only((await offer(worker, before)).answer.skills);
  await decideVersion(admin, skillId, before.digest, { decision: "approve", comment: "" });
  await updateSkill(admin, skillId, { enabled: true });
  const after = folderOf(packFiles({ name: "updated", script: "#!/bin/sh\necho 1\n" }));
  const { need, answer } = await offer(worker, after);
  expect([need.length, only(answer.skills).state]).toEqual([1, "pending"]);
  expect(await getSkill(admin, skillId)).toMatchObject({
    enabled: true,
    currentVersion: { digest: before.digest, state: "approved" },
    pendingVersion: { digest: after.digest, number: 2 },
  });
});

it("only files that the last inventory named are taken, and only with their own bytes", async () => {
  const worker = await testWorker(database);
  const pack = folderOf(packFiles({ name: "blobs", script: "#!/bin/sh\necho blobs\n" }));
  const bytes = new Uint8Array(pack.files[1]?.bytes ?? []);
  await expect(storeInventoryBlob(worker.ctx, sha256Hex(bytes), bytes)).rejects.toMatchObject({ code: "not_found" });
  const { need } = await receiveInventory(worker.ctx, { items: [pack.item], problems: [] });
  expect(need).toContain(sha256Hex(bytes));
  const other = new TextEncoder().encode("other");
  await expect(storeInventoryBlob(worker.ctx, sha256Hex(bytes), other)).rejects.toMatchObject({ code: "invalid" });
  await storeInventoryBlob(worker.ctx, sha256Hex(bytes), bytes);
  const next = await receiveInventory(worker.ctx, { items: [pack.item], problems: [] });
  expect(next.need).toEqual(need.filter((sha256) => sha256 !== sha256Hex(bytes)));
  const stranger = await testWorker(database);
  await expect(storeInventoryBlob(stranger.ctx, next.need[0] ?? "", bytes)).rejects.toMatchObject({
    code: "not_found",
  });
});

it("a name that was imported before stays with that skill, and a broken folder does not block the others", async () => {
  const worker = await testWorker(database);
  const upload = await zipUpload("pack", packFiles({ name: "taken_name" }));
  await importSkills(admin, { ...upload, owner: "org" });
  const [taken, broken] = [
    packFiles({ name: "taken_name", script: "#!/bin/sh\n:\n" }),
    packFiles({ name: "Bad Name" }),
  ];
  const { answer } = await offer(
    worker,
    ...[folderOf(taken, "taken"), folderOf(broken, "broken"), folderOf(packFiles({ name: "fine" }), "fine")],
  );
  expect(answer.skills.map(({ name }) => name)).toEqual(["fine"]);
  expect(answer.problems).toEqual([
    { path: "/etc/skills/taken", message: 'skill "taken_name" already registered, skipping /etc/skills/taken' },
    { path: "/etc/skills/broken", message: expect.stringMatching(/^parse \/etc\/skills\/broken: The name "Bad Name"/) },
  ]);
  expect(await getInventory(admin, worker.id)).toMatchObject({
    skills: [{ path: "/etc/skills/fine", skill: { name: "fine" }, version: { state: "pending" }, serves: false }],
    problems: answer.problems,
  });
});

it("executables of an edge are for hosts even if they declare another scope, and playbooks stay as they are", async () => {
  const edge = await testWorker(database, { manager: false });
  const pack = folderOf(packFiles({ name: "edge_pack", manifest: { scope: "manager" } }), "edge-pack");
  const { answer } = await offer(edge, pack, folderOf(playbookFiles({ name: "edge-notes" }), "edge-notes"));
  const scopes = await Promise.all(answer.skills.map(async ({ skillId }) => (await getSkill(admin, skillId)).scope));
  expect(scopes).toEqual(["host", "manager"]);
  const { skillId = "", versionDigest = "" } = answer.skills[0] ?? {};
  await decideVersion(admin, skillId, versionDigest, { decision: "approve", comment: "" });
  expect(await getSkill(admin, skillId)).toMatchObject({ builtin: false, trust: { tier: "workspace" } });
});

it("what comes with the worker is for hosts unless it says otherwise", async () => {
  const worker = await testWorker(database);
  const { answer } = await offer(
    worker,
    folderOf(packFiles({ name: "builtin_a" }), "a", "builtin"),
    folderOf(packFiles({ name: "builtin_b", manifest: { scope: "manager" } }), "b", "builtin"),
  );
  const scopes = await Promise.all(answer.skills.map(async ({ skillId }) => (await getSkill(admin, skillId)).scope));
  expect(scopes).toEqual(["host", "manager"]);
});

it("a trusted digest is approved in the operator's name, signed, and switched on", async () => {
  const worker = await testWorker(database);
  const pack = folderOf(packFiles({ name: "trusted", manifest: { class: "mutating", env_allow: ["HOME"] } }));
  trust(`${pack.digest}  trusted # by Ada`);
  const { answer } = await offer(worker, pack);
  const { skillId, state } = only(answer.skills);
  expect(state).toBe("approved");
  const skill = await getSkill(admin, skillId);
  const trusts = { tier: "workspace", signature: "verified", problem: null };
  expect(skill).toMatchObject({ enabled: true, class: "mutating", builtin: false, trust: trusts });
  const decision = await database.reader.decision.findFirstOrThrow({ where: { version: { digest: pack.digest } } });
  expect(decision).toMatchObject({
    actorName: "operator",
    decision: "approve",
    class: "mutating",
    standing: "counts",
    tier: "workspace",
  });
  expect(JSON.parse(decision.grants ?? "")).toMatchObject({ env: ["HOME"] });
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { skillId, action: "version.approve" } });
  expect(event).toMatchObject({ actorKind: "system", actorName: "operator", versionDigest: pack.digest });
  expect(await startRun(user, skillId, { args: { text: "x" }, confirm: true, wait: 0 })).toMatchObject({
    run: { state: "queued" },
  });
});

it("a trusted digest that an admin revoked is not approved again, also when the skill is deleted and comes back", async () => {
  const worker = await testWorker(database);
  const pack = folderOf(packFiles({ name: "revoked_once" }));
  trust(pack.digest);
  const { skillId } = only((await offer(worker, pack)).answer.skills);
  await decideVersion(admin, skillId, pack.digest, { decision: "revoke", comment: "no" });
  expect(await approveAllTrusted(admin)).toBe(0);
  expect(only((await offer(worker, pack)).answer.skills).state).toBe("revoked");
  await database.writer.skill.update({ where: { id: skillId }, data: { deletedAt: new Date(), liveSlug: null } });
  const again = only((await offer(worker, pack)).answer.skills);
  expect([again.skillId === skillId, again.state]).toEqual([false, "pending"]);
});

it("the file of trusted digests is read again when it changes", async () => {
  const worker = await testWorker(database);
  trust();
  const pack = folderOf(packFiles({ name: "trusted_later" }));
  const { state, skillId } = only((await offer(worker, pack)).answer.skills);
  expect(state).toBe("pending");
  trust(pack.digest.toUpperCase(), "not a digest");
  expect(await approveAllTrusted(admin)).toBe(1);
  expect(await getSkill(admin, skillId)).toMatchObject({ currentVersion: { digest: pack.digest }, enabled: true });
});

it("a rescan is told once, in the next exchange that waits", async () => {
  const worker = await testWorker(database);
  await requestRescan(admin, worker.id);
  expect((await worker.say({ waitSeconds: 5 })).rescan).toBe(true);
  expect((await worker.say({ waitSeconds: 0.001 })).rescan).toBeUndefined();
  const waiting = worker.say({ waitSeconds: 20 });
  await requestRescan(admin, worker.id);
  expect((await waiting).rescan).toBe(true);
  await expect(requestRescan(user, worker.id)).rejects.toMatchObject({ code: "forbidden" });
});

async function hostSkill(name: string, edge: { ctx: Ctx }) {
  const pack = folderOf(packFiles({ name }), name);
  trust(pack.digest);
  return only((await offer(edge, pack)).answer.skills).skillId;
}

it("a skill of an edge runs on the edge that is named, and on no other", async () => {
  const [edge, other] = [await testWorker(database, { manager: false }), await testWorker(database)];
  const skillId = await hostSkill("host_only", edge);
  const args = { text: "x" };
  await expect(startRun(user, skillId, { args, wait: 0 })).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "args.edge_id", message: "is required" }],
  });
  await expect(startRun(user, skillId, { args: { ...args, edge_id: "nobody" }, wait: 0 })).rejects.toMatchObject({
    code: "unknown_edge",
  });
  await expect(startRun(user, skillId, { args: { ...args, edge_id: other.id }, wait: 0 })).rejects.toMatchObject({
    code: "not_offered",
    message: expect.stringContaining("does not offer “host_only”"),
  });
  const started = await startRun(user, skillId, { args: { ...args, device_id: `worker-${edge.id}` }, wait: 0 });
  expect(started).toMatchObject({ run: { args, state: "queued", target: { id: edge.id, online: false } } });
  expect((await other.lease(4)).map(({ skillName }) => skillName)).not.toContain("host_only");
  expect((await edge.lease(4)).map(({ skillName }) => skillName)).toEqual(["host_only"]);
});

it("a skill that no worker has any longer stays, says so, and is refused", async () => {
  const edge = await testWorker(database, { manager: false });
  const skillId = await hostSkill("gone", edge);
  await offer(edge);
  expect(await getSkill(user, skillId)).toMatchObject({ offered: false, enabled: true });
  const input = { args: { text: "x", edge_id: edge.id }, wait: 0 };
  await expect(startRun(user, skillId, input)).rejects.toMatchObject({
    code: "not_offered",
    message: "No worker offers “gone” any more, so it cannot run.",
  });
  const back = folderOf(packFiles({ name: "gone" }), "gone");
  await offer(edge, back);
  expect(await startRun(user, skillId, input)).toMatchObject({ run: { state: "queued" } });
  await revokeWorker(admin, edge.id);
  await expect(startRun(user, skillId, input)).rejects.toMatchObject({ code: "unknown_edge" });
  expect(await getSkill(user, skillId)).toMatchObject({ offered: false });
});

it("a stray edge_id of a skill of scope manager is taken away, and one of its own schema is passed on", async () => {
  const worker = await testWorker(database);
  const edge = await testWorker(database, { manager: false });
  const own = { properties: { edge_id: { type: "string" } }, additionalProperties: false, type: "object" };
  const strict = { type: "object", properties: {}, additionalProperties: false };
  const [plain, names] = [
    folderOf(packFiles({ name: "strips", manifest: { schema: strict } }), "strips"),
    folderOf(packFiles({ name: "keeps", manifest: { schema: own } }), "keeps"),
  ];
  trust(plain.digest, names.digest);
  const { answer } = await offer(worker, plain, names);
  const argsOf = async (index: number) => {
    const args = { edge_id: "e", ...(index === 0 ? { device_id: "d" } : {}) };
    const started = await startRun(user, answer.skills[index]?.skillId ?? "", { args, wait: 0 });
    return "run" in started ? started.run.args : null;
  };
  expect([await argsOf(0), await argsOf(1)]).toEqual([{}, { edge_id: "e" }]);
  const wrong = { args: {}, workerId: edge.id, wait: 0 };
  await expect(startRun(user, "strips", wrong)).rejects.toMatchObject({ code: "not_offered" });
  expect(await edge.lease(4)).toEqual([]);
});

it("one request runs a skill on several edges as a group, on all of them or on none", async () => {
  const [a, b] = [await testWorker(database, { manager: false }), await testWorker(database, { manager: false })];
  const pack = folderOf(packFiles({ name: "fan_out" }), "fan-out");
  trust(pack.digest);
  await offer(a, pack);
  const { skillId } = only((await offer(b, pack)).answer.skills);
  const input = { args: { text: "x" }, wait: 0 };
  const runs = () => database.reader.run.count({ where: { skillId } });
  await expect(startGroup(user, skillId, { ...input, edges: [a.id, "nobody"] })).rejects.toMatchObject({
    code: "unknown_edge",
  });
  expect(await runs()).toBe(0);
  const group = await startGroup(user, skillId, { ...input, edges: [a.id, `worker-${b.id}`, a.id] });
  expect(group.runs.map(({ target, groupId }) => [target?.id, groupId])).toEqual([
    [a.id, group.groupId],
    [b.id, group.groupId],
  ]);
  expect([await runs(), (await a.lease(4)).length, (await b.lease(4)).length]).toEqual([2, 1, 1]);
});

it("edges are listed with the online ones first, each with whether it can run a skill", async () => {
  const [away, here] = [await testWorker(database, { manager: false }), await testWorker(database, { manager: false })];
  const skillId = await hostSkill("listed", here);
  await here.say({ load: 0.5 });
  const { items } = await listEdges(user, { skill: skillId });
  const order = items.filter(({ id }) => [away.id, here.id].includes(id));
  expect(order.map(({ id, online, offers }) => [id, online, offers])).toEqual([
    [here.id, true, true],
    [away.id, false, false],
  ]);
});
