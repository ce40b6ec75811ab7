import { expect, test } from "vitest";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { requireSkill } from "@/lib/skills/skill-access";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { decideVersion } from "./decide-version";
import { countReviews, listReviews } from "./review-queue";
import { requireApproved } from "./run-approval";

const { person, database } = await testDatabase();
type Ctx = Parameters<typeof decideVersion>[0];

async function importPack(ctx: Ctx, manifest: Record<string, unknown> = {}, script?: string) {
  const files = packFiles({ manifest, ...(script ? { script } : {}) });
  const { skills } = await importSkills(ctx, { ...(await zipUpload("echo", files)), owner: "me" });
  const skill = skills[0];
  const digest = skill?.pendingVersion?.digest;
  if (!skill || !digest) throw new Error("no pending version");
  return { id: skill.id, digest };
}

const approve = { decision: "approve", comment: "" } as const;

async function withTeam(soloMode: boolean) {
  const admin = await person("admin");
  await updateSettings(admin.ctx, { soloMode });
  return {
    admin,
    user: await person(),
    first: await person("reviewer", "First"),
    second: await person("reviewer", "Second"),
  };
}

test("an approved version becomes active, and only then can the skill be enabled", async () => {
  const { user, first } = await withTeam(false);
  const { id, digest } = await importPack(user.ctx);
  await expect(updateSkill(user.ctx, id, { enabled: true })).rejects.toMatchObject({ code: "not_approved" });
  await decideVersion(first.ctx, id, digest, { ...approve, comment: "reads only" });
  expect(await getSkill(user.ctx, id)).toMatchObject({
    enabled: false,
    currentVersion: { digest, state: "approved" },
    pendingVersion: null,
  });
  expect(await updateSkill(user.ctx, id, { enabled: true })).toMatchObject({ enabled: true });
  const events = await database.reader.auditEvent.findMany({ where: { skillId: id }, orderBy: { seq: "asc" } });
  expect(events.map((event) => event.action)).toEqual(["version.import", "version.approve", "skill.enable"]);
});

test("an update waits while the approved version stays active, and replaces it when approved", async () => {
  const { user, first } = await withTeam(false);
  const { id, digest } = await importPack(user.ctx);
  await decideVersion(first.ctx, id, digest, approve);
  const update = await importPack(user.ctx, {}, "#!/bin/sh\necho '{}'\n");
  expect(await getSkill(user.ctx, id)).toMatchObject({
    currentVersion: { digest },
    pendingVersion: { digest: update.digest },
  });
  await decideVersion(first.ctx, id, update.digest, approve);
  expect(await getSkill(user.ctx, id)).toMatchObject({
    currentVersion: { digest: update.digest },
    pendingVersion: null,
  });
});

test("a dangerous version needs two people, and one person does not count twice", async () => {
  const { user, first, second } = await withTeam(false);
  const { id, digest } = await importPack(user.ctx, { class: "dangerous" });
  expect((await decideVersion(first.ctx, id, digest, approve)).state).toBe("pending");
  await expect(decideVersion(first.ctx, id, digest, approve)).rejects.toMatchObject({ code: "separation_of_duties" });
  expect((await decideVersion(second.ctx, id, digest, approve)).state).toBe("approved");
});

test("both people have to sign the same terms", async () => {
  const { user, first, second } = await withTeam(false);
  const { id, digest } = await importPack(user.ctx, { class: "dangerous" });
  await decideVersion(first.ctx, id, digest, approve);
  const other = { ...approve, grants: { network: true } };
  await expect(decideVersion(second.ctx, id, digest, other)).rejects.toMatchObject({ code: "conflict" });
});

test("a reviewer approves their own import only in solo mode, which the event records", async () => {
  const { admin, first } = await withTeam(false);
  const { id, digest } = await importPack(first.ctx, { class: "mutating" });
  await expect(decideVersion(first.ctx, id, digest, approve)).rejects.toMatchObject({ code: "separation_of_duties" });
  await updateSettings(admin.ctx, { soloMode: true });
  expect((await decideVersion(first.ctx, id, digest, approve)).decisions).toMatchObject([{ soloMode: true }]);
});

test("a user approves their own safe skill for themselves, never a mutating one or another person’s", async () => {
  const { user, first } = await withTeam(false);
  const safe = await importPack(user.ctx);
  expect((await decideVersion(user.ctx, safe.id, safe.digest, approve)).state).toBe("approved");
  const mutating = await importPack(user.ctx, { class: "mutating", name: "other_pack" });
  await expect(decideVersion(user.ctx, mutating.id, mutating.digest, approve)).rejects.toMatchObject({
    code: "separation_of_duties",
  });
  const foreign = await importPack(first.ctx, { name: "foreign_pack" });
  await expect(decideVersion(user.ctx, foreign.id, foreign.digest, approve)).rejects.toMatchObject({
    code: "not_found",
  });
});

test("revoking disables the skill at once and leaves no active version", async () => {
  const { user, first } = await withTeam(true);
  const { id, digest } = await importPack(user.ctx);
  await decideVersion(first.ctx, id, digest, approve);
  await updateSkill(user.ctx, id, { enabled: true });
  await decideVersion(first.ctx, id, digest, { decision: "revoke", comment: "found a hole" });
  expect(await getSkill(user.ctx, id)).toMatchObject({ enabled: false, currentVersion: null });
  expect((await getVersion(user.ctx, id, digest)).state).toBe("revoked");
});

test("of two concurrent decisions one wins and the other is refused", async () => {
  const { user, first, second } = await withTeam(true);
  const { id, digest } = await importPack(user.ctx);
  const results = await Promise.allSettled([
    decideVersion(first.ctx, id, digest, approve),
    decideVersion(second.ctx, id, digest, { decision: "reject", comment: "no" }),
  ]);
  expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  const lost = results.find((result) => result.status === "rejected");
  expect(lost).toMatchObject({ reason: { code: "conflict" } });
});

test("the queue lists what waits for the caller and nothing they may not sign", async () => {
  const { user, first, second } = await withTeam(false);
  const before = await countReviews(second.ctx);
  const { digest } = await importPack(first.ctx, { class: "mutating", name: "queued_pack" });
  expect(await countReviews(second.ctx)).toBe(before + 1);
  expect((await listReviews(second.ctx, { limit: 100 })).items.map((item) => item.digest)).toContain(digest);
  expect((await listReviews(first.ctx, { limit: 100 })).items.map((item) => item.digest)).not.toContain(digest);
  expect((await listReviews(user.ctx, { limit: 100 })).items.map((item) => item.digest)).not.toContain(digest);
});

test("a token without the scope review decides nothing", async () => {
  const { user, first } = await withTeam(true);
  const { id, digest } = await importPack(user.ctx);
  const token = first.token(["read", "write"]);
  await expect(decideVersion(token, id, digest, approve)).rejects.toMatchObject({ code: "not_found" });
  await database.writer.skill.update({ where: { id }, data: { visibility: "public" } });
  await expect(decideVersion(token, id, digest, approve)).rejects.toMatchObject({ code: "forbidden" });
});

test.each(["class", "grants"] as const)("changing the %s outside of review ends the approval", async (column) => {
  const { user, first } = await withTeam(true);
  const { id, digest } = await importPack(user.ctx, { class: "mutating" });
  await decideVersion(first.ctx, id, digest, approve);
  await updateSkill(user.ctx, id, { enabled: true });
  const value = column === "class" ? "safe" : JSON.stringify({ env: ["SECRET"], timeoutSeconds: 30 });
  await database.writer.version.updateMany({ where: { digest, skillId: id }, data: { [column]: value } });
  await expect(requireApproved(user.ctx, await requireSkill(user.ctx, id))).rejects.toMatchObject({
    code: "not_approved",
  });
});
