import { expect, test } from "vitest";
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
import { decideVersion } from "./decide-version";
import { verifyData } from "./verify/verify-data";

const { person, database, address } = await testDatabase();
const admin = await person("admin");
const owner = await person("user", "Priya");
const reviewer = await person("reviewer", "Ben");
await updateSettings(admin.ctx, { soloMode: false });
const worker = await testWorker(database);
const approve = { decision: "approve", comment: "read" } as const;

async function bringIn(name: string, line: string) {
  const files = packFiles({ name, script: `#!/bin/sh\n# ${line}\ncat\n` });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("pack", files)), owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  const { id: versionId } = await database.reader.version.findFirstOrThrow({
    where: { skillId: skill?.id ?? "", digest },
  });
  return { id: skill?.id ?? "", digest, versionId };
}

const run = (id: string) => startRun(owner.ctx, id, StartRunInput.parse({ args: { text: "x" } }));
async function tampered(skillId: string): Promise<number> {
  // The event is written after the refused transaction.
  await inTransaction(admin.ctx, async () => {});
  return database.reader.auditEvent.count({ where: { skillId, action: "version.tampered" } });
}
const pointAt = (id: string, currentId: string) =>
  database.writer.skill.update({ where: { id }, data: { currentId, enabled: true } });

test("a skill that is pointed back at an older approved version runs nothing, and the audit log records it", async () => {
  const old = await bringIn("pointed_back", "old");
  await decideVersion(reviewer.ctx, old.id, old.digest, approve);
  await updateSkill(owner.ctx, old.id, { enabled: true });
  const newer = await bringIn("pointed_back", "new");
  await decideVersion(reviewer.ctx, old.id, newer.digest, approve);
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });

  await pointAt(old.id, old.versionId);
  await expect(run(old.id)).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("version 2 was activated later"),
  });
  expect(await tampered(old.id)).toBe(1);
  expect(await getSkill(owner.ctx, old.id)).toMatchObject({ trust: { signature: "failed" } });
  expect((await getVersion(owner.ctx, old.id, old.digest)).trust.signature).toBe("failed");

  await pointAt(old.id, newer.versionId);
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });
  expect(await getSkill(owner.ctx, old.id)).toMatchObject({ trust: { signature: "verified" } });

  // Signing other terms does not activate the older version.
  await decideVersion(reviewer.ctx, old.id, old.digest, { ...approve, grants: { timeoutSeconds: 60 } });
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });
  await pointAt(old.id, old.versionId);
  await expect(run(old.id)).rejects.toMatchObject({ code: "not_approved" });

  // After the revocation no version is active, and no write activates the older one.
  await pointAt(old.id, newer.versionId);
  await decideVersion(reviewer.ctx, old.id, newer.digest, { decision: "revoke", comment: "a hole" });
  await pointAt(old.id, old.versionId);
  await expect(run(old.id)).rejects.toMatchObject({ code: "not_approved" });

  // The next approved version becomes active.
  const last = await bringIn("pointed_back", "last");
  await decideVersion(reviewer.ctx, old.id, last.digest, approve);
  await updateSkill(owner.ctx, old.id, { enabled: true });
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: last.digest } });
});

test.each(["actorName", "comment", "class", "grants", "tier"])(
  "a decision whose %s was changed has no effect",
  async (column) => {
    const { id, digest } = await bringIn(`changed_${column.toLowerCase()}`, column);
    await decideVersion(reviewer.ctx, id, digest, approve);
    await updateSkill(owner.ctx, id, { enabled: true });
    const where = { version: { skillId: id } };
    const before = await database.reader.decision.findFirstOrThrow({ where });
    const other = column === "class" ? "mutating" : column === "grants" ? '{"network":true}' : "Mara";
    await database.writer.decision.updateMany({ where, data: { [column]: other } });
    await expect(run(id)).rejects.toMatchObject({
      code: "not_approved",
      message: expect.stringContaining("differs from its signed statement"),
    });
    expect(await tampered(id)).toBe(1);
    const version = await getVersion(owner.ctx, id, digest);
    expect([version.trust.signature, version.decisions[0]?.trust.signature]).toEqual(["failed", "failed"]);
    await database.writer.decision.updateMany({ where, data: { [column]: before[column as "comment"] } });
    expect(await run(id)).toMatchObject({ run: { state: "queued" } });
  },
);

/** Two approved versions of an enabled skill; the second is active. */
async function twoVersions(name: string) {
  const old = await bringIn(name, "old");
  await decideVersion(reviewer.ctx, old.id, old.digest, approve);
  const newer = await bringIn(name, "new");
  await decideVersion(reviewer.ctx, old.id, newer.digest, approve);
  await updateSkill(owner.ctx, old.id, { enabled: true });
  expect(await run(old.id)).toMatchObject({ run: { versionDigest: newer.digest } });
  return { id: old.id, old, newer };
}

async function expectRefused(id: string, digest: string, why: string) {
  await expect(run(id)).rejects.toMatchObject({ code: "not_approved", message: expect.stringContaining(why) });
  expect(await tampered(id)).toBe(1);
  expect(await getSkill(owner.ctx, id)).toMatchObject({ trust: { signature: "failed" } });
  expect((await getVersion(owner.ctx, id, digest)).trust.signature).toBe("failed");
  const { approvals } = await verifyData(database.keyFolder, address);
  expect(approvals.find((approval) => approval.digest === digest)?.problem).toContain("the audit log says");
}

test.each(["deleted", "without statement"])(
  "the audit log determines the active version when the decisions on it are %s",
  async (how) => {
    const { id, old, newer } = await twoVersions(`anchored_${how.length}`);
    const where = { versionId: newer.versionId };
    if (how === "deleted") await database.writer.decision.deleteMany({ where });
    else await database.writer.decision.updateMany({ where, data: { statement: null } });
    await pointAt(id, old.versionId);
    await expectRefused(id, old.digest, `version ${newer.digest.slice(0, 7)} was activated later`);
  },
);

test("an unsigned decision does not change the order of activations", async () => {
  const { id, old } = await twoVersions("anchored_forged");
  const decision = await database.reader.decision.findFirstOrThrow({ where: { versionId: old.versionId } });
  const statement = JSON.stringify({ ...JSON.parse(decision.statement ?? ""), serves: 99 });
  const forged = { ...decision, id: `${decision.id}x`, standing: "void", statement };
  await database.writer.decision.create({ data: forged });
  await pointAt(id, old.versionId);
  await expectRefused(id, old.digest, "version 2 was activated later");
});

test("earlier terms of the same version do not take effect again", async () => {
  const { id, digest, versionId } = await bringIn("anchored_terms", "terms");
  await decideVersion(reviewer.ctx, id, digest, { ...approve, grants: { timeoutSeconds: 90 } });
  await updateSkill(owner.ctx, id, { enabled: true });
  const before = await database.reader.version.findUniqueOrThrow({ where: { id: versionId } });
  const [first] = await database.reader.decision.findMany({ where: { versionId } });
  await decideVersion(reviewer.ctx, id, digest, { ...approve, grants: { timeoutSeconds: 30 } });
  expect((await getVersion(owner.ctx, id, digest)).trust.signature).toBe("verified");
  expect(await run(id)).toMatchObject({ run: { state: "queued" } });

  await database.writer.decision.updateMany({ where: { versionId }, data: { standing: "void" } });
  await database.writer.decision.update({ where: { id: first?.id ?? "" }, data: { standing: "counts" } });
  const { grants, subject } = before;
  await database.writer.version.update({ where: { id: versionId }, data: { grants, subject } });
  await expectRefused(id, digest, "other permissions were approved later");
});

test.each(["kept", "deleted"])("a revoked version stays revoked when its row is %s", async (row) => {
  const { id, digest, versionId } = await bringIn(`anchored_revoked_${row}`, "revoked");
  await decideVersion(reviewer.ctx, id, digest, approve);
  await updateSkill(owner.ctx, id, { enabled: true });
  const before = await database.reader.version.findUniqueOrThrow({ where: { id: versionId } });
  // Runs queued by other tests must not take the worker's slots.
  await database.writer.run.updateMany({ data: { state: "cancelled" } });
  const queued = await run(id);
  await decideVersion(reviewer.ctx, id, digest, { decision: "revoke", comment: "a hole" });

  const { state, decidedAt } = before;
  await database.writer.version.update({ where: { id: versionId }, data: { state, decidedAt } });
  const approval = { versionId, decision: "approve" };
  await database.writer.decision.updateMany({ where: approval, data: { standing: "counts" } });
  if (row === "deleted") await database.writer.decision.deleteMany({ where: { versionId, decision: "revoke" } });
  await pointAt(id, versionId);
  await expectRefused(id, digest, "it was revoked");

  // Waiting and requeued runs are not leased either.
  const runId = "run" in queued ? queued.run.id : "";
  const again = { state: "queued", errorCode: null, errorMessage: null, finishedAt: null };
  await database.writer.run.update({ where: { id: runId }, data: again });
  await worker.lease();
  const ended = await database.reader.run.findUniqueOrThrow({ where: { id: runId } });
  expect(ended.errorCode).toBe("not_approved");

  const next = await bringIn(`anchored_revoked_${row}`, "next");
  await decideVersion(reviewer.ctx, id, next.digest, approve);
  await updateSkill(owner.ctx, id, { enabled: true });
  expect(await run(id)).toMatchObject({ run: { versionDigest: next.digest } });
});

test("an open or declined round of other terms changes nothing", async () => {
  await updateSettings(admin.ctx, { signaturesForMutating: 2 });
  const { id, digest } = await bringIn("anchored_round", "round");
  await decideVersion(reviewer.ctx, id, digest, approve);
  await updateSkill(owner.ctx, id, { enabled: true });
  for (const decision of ["approve", "reject"] as const) {
    const terms = decision === "approve" ? { class: "mutating" as const } : {};
    await decideVersion(reviewer.ctx, id, digest, { decision, comment: "other terms", ...terms });
    expect((await getVersion(owner.ctx, id, digest)).trust.signature).toBe("verified");
    expect(await run(id)).toMatchObject({ run: { versionDigest: digest } });
  }
});
