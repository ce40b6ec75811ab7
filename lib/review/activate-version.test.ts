import { expect, test } from "vitest";
import { recordEvent } from "@/lib/audit/record-event";
import { inTransaction } from "@/lib/db/context";
import { startRun } from "@/lib/runner/runs/start-run";
import { StartRunInput } from "@/lib/runner/schema";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { activateVersion } from "./activate-version";
import { decideVersion } from "./decide-version";
import { verifyData } from "./verify/verify-data";

const { person, database, address } = await testDatabase();
const admin = await person("admin", "Ada");
const owner = await person("user", "Priya");
const reviewer = await person("reviewer", "Ben");
await updateSettings(admin.ctx, { soloMode: false });
const worker = await testWorker(database);
const approve = { decision: "approve", comment: "read" } as const;
const plain = { comment: "" };
const activate = (id: string, digest: string) => activateVersion(reviewer.ctx, id, digest, plain);
const revoke = (id: string, digest: string) =>
  decideVersion(reviewer.ctx, id, digest, { decision: "revoke", comment: "a hole" });

async function bringIn(name: string, line: string, more: Parameters<typeof packFiles>[0] = {}) {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${line}\ncat\n`, ...more });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const [id, digest] = [skill?.id ?? "", skill?.pendingVersion?.digest ?? ""];
  const { id: versionId } = await database.reader.version.findFirstOrThrow({ where: { skillId: id, digest } });
  return { id, digest, versionId };
}

/** Two approved versions of an enabled skill; the second is active. */
async function twoVersions(name: string) {
  const old = await bringIn(name, "old");
  await decideVersion(reviewer.ctx, old.id, old.digest, approve);
  const newer = await bringIn(name, "new");
  await decideVersion(reviewer.ctx, old.id, newer.digest, approve);
  await updateSkill(owner.ctx, old.id, { enabled: true });
  return { id: old.id, old, newer };
}

const run = (id: string) => startRun(owner.ctx, id, StartRunInput.parse({ args: { text: "x" } }));
const pointAt = (id: string, currentId: string | null) =>
  database.writer.skill.update({ where: { id }, data: { currentId, enabled: true } });
const activations = (versionId: string) =>
  database.reader.decision.findMany({ where: { versionId, decision: "activate" }, orderBy: { id: "asc" } });
const problemOf = async (digest: string) =>
  (await verifyData(database.keyFolder, address)).approvals.find((one) => one.digest === digest)?.problem;
const settled = () => inTransaction(admin.ctx, async () => {});

async function expectRefused(id: string, digest: string, why: string) {
  await expect(run(id)).rejects.toMatchObject({ code: "not_approved", message: expect.stringContaining(why) });
  await settled();
  expect((await getVersion(owner.ctx, id, digest)).trust.signature).toBe("failed");
  expect(await problemOf(digest)).toContain(why);
}

test("an activation verifies offline, and writing the replaced version back does not make it active", async () => {
  const { id, old, newer } = await twoVersions("act_verified");
  await activate(id, old.digest);
  expect(await run(id)).toMatchObject({ run: { versionDigest: old.digest } });
  expect([await problemOf(old.digest), await problemOf(newer.digest)]).toEqual([null, null]);
  await pointAt(id, newer.versionId);
  await expectRefused(id, newer.digest, "was activated later");
  // What a write points at can be activated by a person.
  await activate(id, newer.digest);
  expect(await run(id)).toMatchObject({ run: { versionDigest: newer.digest } });
});

test("an activation row that is restored in the database has no effect without its audit event", async () => {
  const { id, old, newer } = await twoVersions("act_put_back");
  await activate(id, old.digest);
  await activate(id, newer.digest);
  // Without the rows of the last activation, the older version would be active.
  await database.writer.decision.deleteMany({ where: { versionId: newer.versionId } });
  await pointAt(id, old.versionId);
  await expectRefused(id, old.digest, `version ${newer.digest.slice(0, 7)} was activated later`);
});

test("an activation from before a restore has no effect when it is written back", async () => {
  const { id, old, newer } = await twoVersions("act_restored");
  await activate(id, old.digest);
  const [later] = await activations(old.versionId);
  if (!later) throw new Error("there is no activation");
  // As in a backup from before the activation: without its row and event.
  await database.writer.decision.delete({ where: { id: later.id } });
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { skillId: id, action: "version.activate" },
  });
  await database.writer.auditEvent.update({ where: { seq: event.seq }, data: { skillId: null } });
  await pointAt(id, newer.versionId);
  expect(await run(id)).toMatchObject({ run: { versionDigest: newer.digest } });
  await database.writer.decision.create({ data: later });
  await pointAt(id, old.versionId);
  await expectRefused(id, old.digest, `version ${newer.digest.slice(0, 7)} was activated later`);
});

test("a repeated activation event in the audit log has no effect", async () => {
  const { id, old, newer } = await twoVersions("act_replayed");
  await activate(id, old.digest);
  await activate(id, newer.digest);
  const { seq, ...event } = await database.reader.auditEvent.findFirstOrThrow({
    where: { skillId: id, action: "version.activate" },
    orderBy: { seq: "asc" },
  });
  const last = await database.reader.auditEvent.findFirstOrThrow({ orderBy: { seq: "desc" } });
  expect(seq).toBeLessThan(last.seq);
  await database.writer.auditEvent.create({ data: { ...event, seq: last.seq + 1, hash: `${event.hash}0` } });
  await database.writer.decision.deleteMany({ where: { versionId: newer.versionId } });
  await pointAt(id, old.versionId);
  await expectRefused(id, old.digest, "was activated later");
});

/** Without the rows of a revocation, the version would be approved and active. */
async function putBackRevoked(id: string, versionId: string, digest: string) {
  const before = await database.reader.version.findUniqueOrThrow({ where: { id: versionId } });
  await revoke(id, digest);
  const { state, decidedAt } = before;
  await database.writer.version.update({ where: { id: versionId }, data: { state, decidedAt } });
  const approval = { versionId, decision: "approve" };
  await database.writer.decision.updateMany({ where: approval, data: { standing: "counts" } });
  await database.writer.decision.deleteMany({ where: { versionId, decision: "revoke" } });
  await pointAt(id, versionId);
}
const eventOf = (versionDigest: string, action: string) =>
  database.reader.auditEvent.findFirstOrThrow({ where: { versionDigest, action }, orderBy: { seq: "desc" } });
const lastSeq = async () => (await database.reader.auditEvent.findFirstOrThrow({ orderBy: { seq: "desc" } })).seq;
const NOT_AS_WRITTEN = "or the event before or after it, was changed";

test.each(["as it was", "linked to the last event"])(
  "a repeated approval event in the audit log, %s, does not undo a revocation",
  async (how) => {
    const { id, newer } = await twoVersions(`act_again_${how.length}`);
    await putBackRevoked(id, newer.versionId, newer.digest);
    await expectRefused(id, newer.digest, "the audit log says that it was revoked");
    const event = await eventOf(newer.digest, "version.approve");
    const last = await database.reader.auditEvent.findFirstOrThrow({ orderBy: { seq: "desc" } });
    const links = how === "as it was" ? {} : { prevHash: last.hash };
    await database.writer.auditEvent.create({ data: { ...event, ...links, seq: last.seq + 1 } });
    await expectRefused(id, newer.digest, NOT_AS_WRITTEN);
    await expect(activate(id, newer.digest)).rejects.toMatchObject({ code: "not_approved" });
    const { trust } = await getVersion(owner.ctx, id, newer.digest);
    expect(trust.problem).toContain(NOT_AS_WRITTEN);
  },
);

test("a copied approval event with its neighbours has no more effect than the copy alone", async () => {
  const { id, newer } = await twoVersions("act_neighbours");
  const { seq } = await eventOf(newer.digest, "version.approve");
  await putBackRevoked(id, newer.versionId, newer.digest);
  const shift = (await lastSeq()) + 2 - seq;
  const around = await database.reader.auditEvent.findMany({ where: { seq: { gte: seq - 1, lte: seq + 1 } } });
  await database.writer.auditEvent.createMany({ data: around.map((event) => ({ ...event, seq: event.seq + shift })) });
  await expectRefused(id, newer.digest, NOT_AS_WRITTEN);
});

test.each([
  { action: "version.activate" },
  { action: "version.approve", data: '{"given":1,"needed":2}' },
  { action: "version.approve", data: "not JSON" },
])("a revocation event changed to %o does not make the version active", async (change) => {
  const { id, newer } = await twoVersions(`act_changed_${JSON.stringify(change).length}`);
  await putBackRevoked(id, newer.versionId, newer.digest);
  const { seq } = await eventOf(newer.digest, "version.revoke");
  await database.writer.auditEvent.update({ where: { seq }, data: change });
  await expectRefused(id, newer.digest, NOT_AS_WRITTEN);
});

test.each(["removed", "moved"])(
  "a revocation right after the approval is missed when it is %s from the audit log",
  async (how) => {
    const { id } = await twoVersions(`act_${how}`);
    const third = await bringIn(`act_${how}`, "third");
    await decideVersion(reviewer.ctx, id, third.digest, approve);
    const approved = await lastSeq();
    expect((await eventOf(third.digest, "version.approve")).seq).toBe(approved);
    await putBackRevoked(id, third.versionId, third.digest);
    const { seq } = await eventOf(third.digest, "version.revoke");
    expect(seq).toBe(approved + 1);
    await settled();
    await activate(id, (await database.reader.version.findFirstOrThrow({ where: { skillId: id, number: 1 } })).digest);
    await pointAt(id, third.versionId);
    if (how === "removed") await database.writer.auditEvent.delete({ where: { seq } });
    else await database.writer.auditEvent.update({ where: { seq }, data: { seq: -seq } });
    await expect(activate(id, third.digest)).rejects.toMatchObject({
      code: "not_approved",
      message: expect.stringContaining(NOT_AS_WRITTEN),
    });
  },
);

test("a revocation event moved before the approval does not make the version active", async () => {
  const { id, newer } = await twoVersions("act_before");
  await putBackRevoked(id, newer.versionId, newer.digest);
  const { seq } = await eventOf(newer.digest, "version.revoke");
  const approval = await eventOf(newer.digest, "version.approve");
  expect(seq - approval.seq).toBeGreaterThan(1);
  await database.writer.auditEvent.update({ where: { seq }, data: { seq: -seq } });
  await expectRefused(id, newer.digest, NOT_AS_WRITTEN);
});

test("any number of later revocations of a skill hides none of them", async () => {
  const { id, old, newer } = await twoVersions("act_many");
  await putBackRevoked(id, old.versionId, old.digest);
  await inTransaction(admin.ctx, async (tx, ctx) => {
    for (let turn = 0; turn < 210; turn += 1) {
      for (const action of ["version.revoke", "version.approve", "version.activate"]) {
        await recordEvent(tx, ctx, {
          action,
          summary: "decided on another version",
          skillId: id,
          versionDigest: turn.toString(16).padStart(64, "0"),
          data: { given: 1, needed: 1 },
        });
      }
    }
  });
  expect(await problemOf(old.digest)).toContain("the audit log says that it was revoked");
  await expect(activate(id, old.digest)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("the audit log says that it was revoked"),
  });
  // They do not hide the last activated version either.
  await pointAt(id, newer.versionId);
  expect(await run(id)).toMatchObject({ run: { versionDigest: newer.digest } });
});

test("incomplete approvals never hide a complete one, however many there are", async () => {
  const { id, newer } = await twoVersions("act_signatures");
  await inTransaction(admin.ctx, async (tx, ctx) => {
    const sign = (subject: string, given: number) =>
      recordEvent(tx, ctx, {
        action: "version.approve",
        summary: "signed",
        skillId: id,
        versionDigest: newer.digest,
        data: { given, needed: 2, subject },
      });
    await sign("0".repeat(64), 2);
    for (let turn = 0; turn < 50; turn += 1) await sign("1".repeat(64), 1);
  });
  await expectRefused(id, newer.digest, "50 signatures after its last decision completed no approval");
});

test.each(["signature", "subject", "decisionId"])("an activation with a forged %s is not accepted", async (what) => {
  const { id, old, newer } = await twoVersions(`act_forged_${what.toLowerCase()}`);
  await activate(id, old.digest);
  await activate(id, newer.digest);
  const [first] = await activations(old.versionId);
  if (!first) throw new Error("there is no activation");
  const said = {
    ...JSON.parse(first.statement ?? ""),
    serves: 99,
    ...(what === "signature" ? {} : { [what]: "0".repeat(64) }),
  };
  const statement = JSON.stringify(said);
  await database.writer.decision.create({ data: { ...first, id: `${first.id}f`, statement } });
  await pointAt(id, old.versionId);
  await expect(run(id)).rejects.toMatchObject({ code: "not_approved" });
  expect(await problemOf(old.digest)).toContain("was activated later");
});

test("the signature of an activation is not valid as an approval", async () => {
  const { id, old, newer } = await twoVersions("act_no_approval");
  await activate(id, old.digest);
  const [row] = await activations(old.versionId);
  await database.writer.decision.deleteMany({ where: { versionId: old.versionId, decision: "approve" } });
  await database.writer.decision.update({
    where: { id: row?.id ?? "" },
    data: { decision: "approve", standing: "counts" },
  });
  await expect(run(id)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("not that of an approval"),
  });
  expect((await getSkill(owner.ctx, id)).trust.signature).toBe("failed");
  await expect(activate(id, old.digest)).rejects.toMatchObject({ code: "not_approved" });
  await activate(id, newer.digest);
  expect(await run(id)).toMatchObject({ run: { versionDigest: newer.digest } });
});

test.each(["comment", "actorName"])("an activation whose %s was changed is shown as failed", async (column) => {
  const { id, old } = await twoVersions(`act_shown_${column.toLowerCase()}`);
  await activate(id, old.digest);
  const [row] = await activations(old.versionId);
  const trustOf = async () => (await getVersion(owner.ctx, id, old.digest)).decisions.at(-1)?.trust.signature;
  expect(await trustOf()).toBe("verified");
  await database.writer.decision.update({ where: { id: row?.id ?? "" }, data: { [column]: "Mara" } });
  expect(await trustOf()).toBe("failed");
});

test("a revoked version whose rows were restored, also behind many activations, cannot be activated", async () => {
  const { id, old, newer } = await twoVersions("act_revoked");
  const third = await bringIn("act_revoked", "third");
  await decideVersion(reviewer.ctx, id, third.digest, approve);
  const before = await database.reader.version.findUniqueOrThrow({ where: { id: old.versionId } });
  await revoke(id, old.digest);
  for (let turn = 0; turn < 3; turn += 1) {
    await activate(id, newer.digest);
    await activate(id, third.digest);
  }
  const { state, decidedAt } = before;
  await database.writer.version.update({ where: { id: old.versionId }, data: { state, decidedAt } });
  const approval = { versionId: old.versionId, decision: "approve" };
  await database.writer.decision.updateMany({ where: approval, data: { standing: "counts" } });
  await database.writer.decision.deleteMany({ where: { versionId: old.versionId, decision: "revoke" } });
  await expect(activate(id, old.digest)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("the audit log says that it was revoked"),
  });
  expect(await getSkill(owner.ctx, id)).toMatchObject({ currentVersion: { digest: third.digest } });
});

test("changed bytes and changed terms cannot be activated, and the audit log records them", async () => {
  const { id, old } = await twoVersions("act_tampered");
  const version = await database.reader.version.findUniqueOrThrow({ where: { id: old.versionId } });
  const data = { grants: '{"network":true}' };
  await database.writer.version.update({ where: { id: old.versionId }, data });
  await expect(activate(id, old.digest)).rejects.toMatchObject({
    code: "not_approved",
    errors: [{ path: "approval" }],
  });
  await database.writer.version.update({ where: { id: old.versionId }, data: { grants: version.grants } });
  const { sha256 } = await database.reader.versionFile.findFirstOrThrow({
    where: { versionId: old.versionId, path: "run.sh" },
  });
  const { bytes } = await database.reader.blob.findUniqueOrThrow({ where: { sha256 } });
  const write = (content: Uint8Array<ArrayBuffer>) =>
    database.writer.blob.update({ where: { sha256 }, data: { bytes: content } });
  await write(new TextEncoder().encode("#!/bin/sh\nid\n"));
  await expect(activate(id, old.digest)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("cannot be activated: its stored files do not match its digest"),
  });
  await settled();
  const told = await database.reader.auditEvent.count({ where: { skillId: id, action: "version.tampered" } });
  expect(told).toBe(2);
  await write(bytes);
});

test("an approval that was returned at the start of a release says so", async () => {
  const { id, old } = await twoVersions("act_returned");
  const returnedReason = "Its owner approved it alone.";
  const cleared = { class: null, grants: null, subject: null, decidedAt: null };
  await database.writer.version.update({
    where: { id: old.versionId },
    data: { ...cleared, state: "pending", returnedReason },
  });
  await expect(activate(id, old.digest)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining(`its approval no longer counts: ${returnedReason}`),
  });
});

test("a version with permissions that no worker allows cannot be activated", async () => {
  const old = await bringIn("act_worker", "old");
  await decideVersion(reviewer.ctx, old.id, old.digest, { ...approve, grants: { env: ["REGION"] } });
  const newer = await bringIn("act_worker", "new");
  await decideVersion(reviewer.ctx, old.id, newer.digest, approve);
  const offers = (env: string[]) => ({
    offers: JSON.stringify({ allows: { paths: [], env, capabilities: [], namespaces: [], ranges: [], proxy: true } }),
    lastSeenAt: new Date(),
  });
  await database.writer.worker.update({ where: { id: worker.id }, data: offers([]) });
  await expect(activate(old.id, old.digest)).rejects.toMatchObject({
    code: "not_approved",
    errors: [{ path: "workers", message: expect.stringContaining("REGION") }],
  });
  await database.writer.worker.update({ where: { id: worker.id }, data: offers(["REGION"]) });
  expect(await activate(old.id, old.digest)).toMatchObject({ currentVersion: { digest: old.digest } });
});

test("concurrent revocations and activations never leave a revoked version active", async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const { id, old } = await twoVersions(`act_race_${turn}`);
    const both = [() => activate(id, old.digest), () => revoke(id, old.digest)];
    if (turn % 2 === 1) both.reverse();
    const [first, second] = await Promise.allSettled(both.map((act) => act()));
    // An activation never delays or fails a revocation.
    expect([first, second][turn % 2 === 1 ? 0 : 1]?.status).toBe("fulfilled");
    const { current } = await database.reader.skill.findUniqueOrThrow({ where: { id }, include: { current: true } });
    expect(current?.state ?? "none").not.toBe("revoked");
    expect((await getVersion(owner.ctx, id, old.digest)).state).toBe("revoked");
  }
});

test("a concurrent approval and activation leave the last one active, signed and audited", async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    const { id, old } = await twoVersions(`act_both_${turn}`);
    const third = await bringIn(`act_both_${turn}`, "third");
    const acts: (() => Promise<unknown>)[] = [
      () => activate(id, old.digest),
      () => decideVersion(admin.ctx, id, third.digest, approve),
    ];
    if (turn % 2 === 1) acts.reverse();
    await Promise.all(acts.map((act) => act()));
    const { currentVersion, trust } = await getSkill(owner.ctx, id);
    expect(trust.signature).toBe("verified");
    const last = await database.reader.auditEvent.findFirstOrThrow({
      where: { skillId: id, action: { in: ["version.approve", "version.activate"] } },
      orderBy: { seq: "desc" },
    });
    expect(currentVersion?.digest).toBe(last.versionDigest);
    expect(JSON.parse(last.data)).toMatchObject({ serves: 4 });
  }
});

test("an approval that no longer verifies can be given again with the same terms", async () => {
  const { id, newer } = await twoVersions("act_again");
  await database.writer.decision.updateMany({ where: { versionId: newer.versionId }, data: { actorName: "Mara" } });
  await expect(run(id)).rejects.toMatchObject({ code: "not_approved" });
  await decideVersion(admin.ctx, id, newer.digest, approve);
  expect(await run(id)).toMatchObject({ run: { versionDigest: newer.digest } });
  await expect(decideVersion(admin.ctx, id, newer.digest, approve)).rejects.toMatchObject({ code: "conflict" });
});
