import { expect, test } from "vitest";
import { deleteSkill, updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { createVersion } from "@/lib/skills/versions/create-version";
import { listVersions } from "@/lib/skills/versions/list-versions";
import { setChangelog, submitVersion } from "@/lib/skills/versions/submit-version";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { deprecateSkill, undeprecateSkill } from "./deprecation";
import { setStar } from "./popularity";
import { closeReport, createReport, listReports } from "./reports";

const { database, person } = await testDatabase();
const admin = await person("admin", "Root");
const owner = await person("user", "Ada");
const other = await person("user", "Ben");

async function shared(name: string) {
  const skill = await approvedSkill(owner.ctx, admin.ctx, { name });
  await updateSkill(admin.ctx, skill.id, { visibility: "public" });
  return skill;
}

const actionsOf = async (skillId: string, prefix: string) =>
  (
    await database.reader.auditEvent.findMany({
      where: { skillId, action: { startsWith: prefix } },
      orderBy: { seq: "asc" },
    })
  ).map(({ action }) => action);

test("a star counts once for each person and can be taken back", async () => {
  const { id } = await shared("starred_pack");
  expect(await setStar(owner.ctx, id, true)).toEqual({ starred: true, stars: 1 });
  expect(await setStar(owner.ctx, id, true)).toEqual({ starred: true, stars: 1 });
  expect(await setStar(other.ctx, id, true)).toEqual({ starred: true, stars: 2 });
  expect(await getSkill(admin.ctx, id)).toMatchObject({ starred: false, stars: 2 });
  expect(await setStar(owner.ctx, id, false)).toEqual({ starred: false, stars: 1 });
  expect(await actionsOf(id, "skill.")).toEqual(expect.arrayContaining(["skill.star", "skill.star", "skill.unstar"]));
  expect((await actionsOf(id, "skill.star")).length).toBe(2);
});

test("a person can only star and report visible skills", async () => {
  const { id } = await approvedSkill(owner.ctx, admin.ctx, { name: "unseen_pack" });
  await expect(setStar(other.ctx, id, true)).rejects.toMatchObject({ code: "not_found" });
  await expect(createReport(other.ctx, id, { reason: "other", text: "x" })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(setStar(owner.token(["read"]), id, true)).rejects.toMatchObject({ code: "forbidden" });
});

test("its owner deprecates a skill with a replacement, and takes it back; it keeps serving", async () => {
  const [old, fresh] = [await shared("old_pack"), await shared("fresh_pack")];
  await expect(deprecateSkill(other.ctx, old.id, { reason: "x" })).rejects.toMatchObject({ code: "forbidden" });
  const marked = await deprecateSkill(owner.ctx, old.id, { reason: "Use the new one.", replacedBy: "fresh_pack" });
  expect(marked).toMatchObject({
    enabled: true,
    currentVersion: { state: "approved" },
    deprecated: { reason: "Use the new one.", replacedBy: { id: fresh.id, name: "fresh_pack" } },
  });
  const again = await deprecateSkill(owner.ctx, old.id, { reason: "Really." });
  expect(again.deprecated).toMatchObject({ at: marked.deprecated?.at, reason: "Really.", replacedBy: null });
  expect((await undeprecateSkill(owner.ctx, old.id)).deprecated).toBeNull();
  expect(await actionsOf(old.id, "skill.")).toEqual(
    expect.arrayContaining(["skill.deprecate", "skill.deprecate", "skill.undeprecate"]),
  );
});

test("a replacement is another skill that is not deprecated, and is named to those who see it", async () => {
  const [first, second] = [await shared("first_old"), await shared("second_old")];
  const hidden = await approvedSkill(owner.ctx, admin.ctx, { name: "inner_pack" });
  for (const replacedBy of [first.id, "no_such_skill"]) {
    await expect(deprecateSkill(owner.ctx, first.id, { reason: "x", replacedBy })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ path: "replacedBy" }],
    });
  }
  await deprecateSkill(owner.ctx, second.id, { reason: "x", replacedBy: hidden.id });
  await expect(deprecateSkill(owner.ctx, first.id, { reason: "x", replacedBy: second.id })).rejects.toMatchObject({
    code: "invalid",
  });
  expect((await getSkill(owner.ctx, second.id)).deprecated?.replacedBy?.id).toBe(hidden.id);
  expect((await getSkill(other.ctx, second.id)).deprecated).toMatchObject({ reason: "x", replacedBy: null });
  await deleteSkill(owner.ctx, hidden.id);
  expect((await getSkill(owner.ctx, second.id)).deprecated?.replacedBy).toBeNull();
});

test("a report waits for an admin, once for each person, and is closed once with what became of it", async () => {
  const { id, digest } = await shared("reported_pack");
  const { id: reportId } = await createReport(other.ctx, id, { reason: "malicious", text: "It sends my files away." });
  await expect(createReport(other.ctx, id, { reason: "other", text: "again" })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(listReports(owner.ctx, { limit: 50, state: "open" })).rejects.toMatchObject({ code: "forbidden" });
  const open = await listReports(admin.ctx, { limit: 50, state: "open", skill: id });
  expect(open.items).toMatchObject([
    {
      id: reportId,
      reason: "malicious",
      versionDigest: digest,
      reporter: { name: "Ben" },
      skill: { label: null, exists: true },
    },
  ]);
  const closing = { resolution: "no_action" as const, note: "It does not." };
  await expect(closeReport(other.ctx, reportId, closing)).rejects.toMatchObject({ code: "forbidden" });
  expect(await closeReport(admin.ctx, reportId, closing)).toMatchObject({
    state: "closed",
    closed: { resolution: "no_action", note: "It does not.", by: { name: "Root" } },
  });
  await expect(closeReport(admin.ctx, reportId, closing)).rejects.toMatchObject({ code: "conflict" });
  expect((await listReports(admin.ctx, { limit: 50, state: "open", skill: id })).items).toEqual([]);
  await createReport(other.ctx, id, { reason: "broken", text: "And now?" });
  expect(await actionsOf(id, "report.")).toEqual(["report.create", "report.close", "report.create"]);
});

test("one person has at most twenty open reports", async () => {
  const reporter = await person("user");
  const { id } = await shared("crowded_pack");
  const row = { skillName: "x", reporterName: "x", reason: "other", text: "x", state: "open", createdAt: new Date() };
  await database.writer.report.createMany({
    data: Array.from({ length: 20 }, (_, index) => ({
      ...row,
      id: `report-${index}`,
      skillId: `skill-${index}`,
      reporterId: reporter.id,
    })),
  });
  await expect(createReport(reporter.ctx, id, { reason: "other", text: "x" })).rejects.toMatchObject({
    code: "rate_limited",
  });
});

test("a changelog is written until the version is decided on", async () => {
  const { id, digest } = await shared("noted_pack");
  await expect(setChangelog(owner.ctx, id, digest, { changelog: "late" })).rejects.toMatchObject({ code: "conflict" });
  const edit = packFiles({ name: "noted_pack", script: "#!/bin/sh\necho\n" }).map(({ path, bytes, mode }) => ({
    path,
    mode,
    text: new TextDecoder().decode(bytes),
  }));
  const draft = await createVersion(owner.ctx, id, { files: edit, baseDigest: digest });
  const submitted = await submitVersion(owner.ctx, id, draft.digest, { changelog: "Says nothing now." });
  expect(submitted).toMatchObject({ state: "pending", changelog: "Says nothing now." });
  await expect(setChangelog(other.ctx, id, draft.digest, { changelog: "x" })).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(await setChangelog(owner.ctx, id, draft.digest, { changelog: "Better words." })).toMatchObject({
    changelog: "Better words.",
  });
  const { items } = await listVersions(owner.ctx, id, { limit: 10 });
  expect(items.map(({ changelog }) => changelog)).toEqual(["Better words.", null]);
  expect(await actionsOf(id, "version.changelog")).toHaveLength(2);
});

test("a version that waits since its import can be given a changelog", async () => {
  const upload = await zipUpload("pack", packFiles({ name: "imported_pack" }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  const noted = await setChangelog(owner.ctx, skill?.id ?? "", digest, { changelog: "First." });
  expect(noted.changelog).toBe("First.");
  expect((await setChangelog(owner.ctx, skill?.id ?? "", digest, { changelog: null })).changelog).toBeNull();
});
