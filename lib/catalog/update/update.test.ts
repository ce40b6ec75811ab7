import { beforeEach, expect, test } from "vitest";
import { createPersona } from "@/lib/auth/personas";
import { decideVersion } from "@/lib/review/decide-version";
import { getSkill } from "@/lib/skills/get-skill";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { diffVersions } from "@/lib/skills/versions/diff-versions";
import { getVersion } from "@/lib/skills/versions/get-version";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { listCatalog } from "../browse/list-catalog";
import { install } from "../install/install";
import { InstallInput } from "../install/schema";
import { ListCatalogQuery } from "../schema";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { listUpdates } from "./list-updates";
import { applyUpdate, applyUpdates, previewUpdate } from "./upstream-updates";

const { github, source, sync, entries, person, database, admin } = await testCatalog();
const reviewer = await person("reviewer");

beforeEach(async () => {
  github.clearFaults();
  await database.writer.catalogSource.updateMany({ data: { enabled: false } });
  await database.writer.skill.updateMany({ data: { deletedAt: new Date(), liveSlug: null } });
});

/** Returns a person who has installed the only skill of a repository, approved. */
async function installed(files: Parameters<typeof source>[0] = { "a/SKILL.md": skillMd("a"), "a/run.sh": "one\n" }) {
  const owner = await person();
  const { ctx } = owner;
  const made = await source(files);
  await sync(made.id);
  const [entry] = await entries(made.id);
  const { skills } = await install(ctx, InstallInput.parse({ id: entry?.id }));
  const skillId = skills[0]?.id ?? "";
  const digest = skills[0]?.pendingVersion?.digest ?? "";
  await decideVersion(reviewer.ctx, skillId, digest, { decision: "approve", comment: "" });
  const inbox = async () => (await listUpdates(ctx, { limit: 50 })).items;
  const upstream = async (changes: Parameters<typeof made.repository.commit>[0]) => {
    await made.repository.commit(changes);
    await sync(made.id);
  };
  return { owner, ctx, ...made, skillId, digest, inbox, upstream };
}

test("an update that was blocked while its files were read is not stored", async () => {
  const { ctx, id, skillId, upstream } = await installed();
  await upstream({ "a/run.sh": "two\n" });
  const data = { blockedCode: "malware", blockedReason: "It is malware." };
  const block = () => database.writer.catalogEntry.updateMany({ where: { sourceId: id }, data });
  github.fail("raw", { first: block });
  await expect(applyUpdate(ctx, skillId)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("was blocked while"),
  });
  expect((await getSkill(ctx, skillId)).pendingVersion).toBeNull();
});

test("a changed script is an update: shown as a diff first, then pending while the approved version serves", async () => {
  const { ctx, id, skillId, digest, inbox, upstream } = await installed();
  expect(await inbox()).toEqual([]);
  await upstream({ "README.md": "unrelated" });
  expect(await inbox()).toEqual([]);
  await upstream({ "a/run.sh": "two\n", "a/new.md": "new" });
  expect((await listCatalog(ctx, ListCatalogQuery.parse({ source: id, state: "update" }))).items).toMatchObject([
    { updateAvailable: true, installedSkillId: skillId },
  ]);
  const files = [
    { path: "new.md", change: "added" },
    { path: "run.sh", change: "changed" },
  ];
  expect(await inbox()).toMatchObject([{ skillId, state: "available", from: { digest }, files }]);
  const preview = await previewUpdate(ctx, skillId);
  expect(preview).toMatchObject({ against: digest, files });
  expect(preview.files[1]?.hunks?.[0]?.lines).toEqual(["-one", "+two"]);
  expect((await getSkill(ctx, skillId)).pendingVersion).toBeNull();
  const version = await applyUpdate(ctx, skillId);
  expect(version).toMatchObject({ state: "pending", number: 2, provenance: { commit: preview.commit } });
  expect(await getSkill(ctx, skillId)).toMatchObject({
    currentVersion: { digest, state: "approved" },
    pendingVersion: { digest: version.digest },
    sourceVersion: preview.commit,
  });
  expect(await inbox()).toMatchObject([{ state: "pending", from: { digest }, files }]);
  await expect(applyUpdate(ctx, skillId)).rejects.toMatchObject({ code: "conflict" });
  await decideVersion(reviewer.ctx, skillId, version.digest, { decision: "approve", comment: "" });
  expect(await inbox()).toEqual([]);
  const events = await database.reader.auditEvent.findMany({ where: { skillId } });
  expect(events.map(({ action }) => action)).toContain("skill.update_from_catalog");
});

test("an agent sees which scripts an update changes, but not their content", async () => {
  const { owner, skillId, upstream } = await installed();
  const persona = await createPersona(admin, { name: "updates", permissionMode: "mutating-with-confirm" });
  const agent = owner.token(["read", "write"], persona.id);
  await upstream({ "a/SKILL.md": skillMd("a", "Other."), "a/run.sh": "two\n", "a/new.sh": "new\n" });
  const shown = async () =>
    Object.fromEntries((await previewUpdate(agent, skillId)).files.map(({ path, hunks }) => [path, hunks !== null]));
  expect(await shown()).toEqual({ "SKILL.md": true, "new.sh": false, "run.sh": false });
  const { digest } = await applyUpdate(owner.ctx, skillId);
  const diff = await diffVersions(agent, skillId, digest);
  expect(diff.files.map(({ path, hunks }) => [path, hunks !== null])).toEqual([
    ["SKILL.md", true],
    ["new.sh", false],
    ["run.sh", false],
  ]);
});

test("two people who take the same update at once get the same version", async () => {
  const { ctx, skillId, upstream } = await installed();
  await upstream({ "a/run.sh": "two\n" });
  const admin = await person("admin");
  const [one, two] = await Promise.all([applyUpdate(ctx, skillId), applyUpdate(admin.ctx, skillId)]);
  expect(one.digest).toBe(two.digest);
  expect(await database.reader.version.count({ where: { skillId } })).toBe(2);
});

test("a cut connection during an update changes nothing", async () => {
  const { ctx, skillId, digest, upstream } = await installed();
  await upstream({ "a/run.sh": "two\n", "a/more.txt": "more" });
  const before = await getSkill(ctx, skillId);
  github.fail("raw", { answer: { status: 404 } });
  await expect(applyUpdate(ctx, skillId)).rejects.toMatchObject({ code: "unavailable" });
  expect(await getSkill(ctx, skillId)).toEqual(before);
  expect((await getVersion(ctx, skillId, digest)).state).toBe("approved");
});

test("what is gone upstream stays installed and says so; when it comes back there is nothing to do", async () => {
  const { ctx, id, skillId, digest, inbox, upstream } = await installed();
  await upstream({ "a/SKILL.md": null });
  expect(await inbox()).toMatchObject([{ skillId, state: "removed", from: { digest }, to: null }]);
  await expect(applyUpdate(ctx, skillId)).rejects.toMatchObject({ code: "conflict" });
  expect((await getSkill(ctx, skillId)).currentVersion?.digest).toBe(digest);
  await database.writer.catalogSource.update({ where: { id }, data: { enabled: false } });
  expect(await inbox()).toEqual([]);
  await database.writer.catalogSource.update({ where: { id }, data: { enabled: true } });
  await upstream({ "a/SKILL.md": skillMd("a") });
  expect(await inbox()).toEqual([]);
});

test("an update that renames the skill is refused", async () => {
  const { ctx, skillId, upstream } = await installed();
  await upstream({ "a/SKILL.md": skillMd("b") });
  await expect(applyUpdate(ctx, skillId)).rejects.toMatchObject({ code: "conflict" });
});

test("a bulk update takes what it can and says what failed", async () => {
  const { ctx, skillId, upstream } = await installed();
  await upstream({ "a/run.sh": "two\n" });
  const [own] = (await importSkills(ctx, { ...(await zipUpload("own", playbookFiles({ name: "own" }))), owner: "me" }))
    .skills;
  const answer = await applyUpdates(ctx, { skillIds: [skillId, own?.id ?? "", skillId] });
  expect(answer.updated).toMatchObject([{ skillId }]);
  expect(answer.failed).toMatchObject([{ skillId: own?.id, code: "conflict" }]);
});

test("another person’s skill cannot be updated or listed", async () => {
  const { skillId, upstream } = await installed();
  await upstream({ "a/run.sh": "two\n" });
  const other = await person();
  await expect(applyUpdate(other.ctx, skillId)).rejects.toMatchObject({ code: "not_found" });
  expect((await listUpdates(other.ctx, { limit: 50 })).items).toEqual([]);
});

test("a source that is deleted and added again offers its updates again", async () => {
  const { ctx, id, name, repository, skillId, inbox } = await installed();
  await database.writer.catalogSource.delete({ where: { id } });
  await expect(previewUpdate(ctx, skillId)).rejects.toMatchObject({ code: "conflict" });
  await repository.commit({ "a/run.sh": "two\n" });
  const admin = await person("admin");
  const { createSource } = await import("../sources/create-source");
  const again = await createSource(admin.ctx, {
    ...{ label: "Again", repoUrl: `https://github.com/${name}`, enabled: true, intervalMinutes: 360, sync: false },
  });
  await sync(again.id);
  expect(await inbox()).toMatchObject([{ skillId, state: "available" }]);
  expect(await applyUpdate(ctx, skillId)).toMatchObject({ number: 2 });
});

test("an update that newly needs a skill which is not there is not stored without a word", async () => {
  const { ctx, skillId, upstream } = await installed();
  await upstream({ "a/SKILL.md": skillMd("a", "Does more.", "depends: [nowhere]\n") });
  await expect(applyUpdate(ctx, skillId)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("nowhere"),
  });
});
