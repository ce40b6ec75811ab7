import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { startRun } from "@/lib/runner/runs/start-run";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { adoptSkill, unadoptSkill } from "../community/adoption";
import { getSkill } from "../get-skill";
import { listSkills } from "../list-skills";
import { ListSkillsQuery } from "../schema";
import { importSkills } from "../transfer/import-skills";
import { publishSkill } from "../transfer/publish-skill";
import { getInstructions } from "../versions/get-instructions";

const { person, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];
const INPUT = { args: { text: "x" }, wait: 0 };

type Who = Awaited<ReturnType<typeof person>>;

/** Returns an approved, enabled playbook of this name, of the organisation or of a person. */
async function playbook(owner: Who, name: string, kind: "me" | "org", body = "# Do it\n") {
  const upload = await zipUpload(name, playbookFiles({ name, body }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: kind })).skills;
  if (!skill?.pendingVersion) throw new Error("the playbook was not imported");
  const signer = owner.id === reviewer.id ? admin : reviewer;
  await decideVersion(signer.ctx, skill.id, skill.pendingVersion.digest, { decision: "approve", comment: "" });
  return updateSkill(owner.ctx, skill.id, { enabled: true });
}

const namesOf = async (ctx: Who["ctx"], q: string) =>
  (await listSkills(ctx, ListSkillsQuery.parse({ q }))).items.map(({ id }) => id);

test("a name means the caller’s own before the organisation’s, and both say so", async () => {
  const user = await person();
  const shared = await playbook(admin, "weekly-report", "org");
  expect(await getSkill(user.ctx, "weekly-report")).toMatchObject({
    id: shared.id,
    nameScope: "organisation",
    shadows: [],
  });
  const own = await playbook(user, "weekly-report", "me", "# Mine\n");
  expect(await getSkill(user.ctx, "weekly-report")).toMatchObject({
    id: own.id,
    nameScope: "personal",
    shadows: [{ id: shared.id, scope: "organisation", reason: expect.stringContaining("comes before") }],
  });
  expect(await getSkill(user.ctx, shared.id)).toMatchObject({ shadowedBy: { id: own.id, scope: "personal" } });
  expect(await getSkill((await person()).ctx, "weekly-report")).toMatchObject({ id: shared.id, shadowedBy: null });
});

test("a persona’s own comes before all, for its agents alone", async () => {
  const user = await person();
  const shared = await playbook(admin, "triage", "org");
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const given = await publishSkill(admin.ctx, shared.id, { persona: agent.persona.id });
  expect(given).toMatchObject({ owner: { kind: "persona", name: agent.persona.name }, currentVersion: null });
  expect(await getSkill(agent.ctx, "triage")).toMatchObject({ id: given.id, nameScope: "persona" });
  expect(await getSkill(user.ctx, "triage")).toMatchObject({ id: shared.id, shadowedBy: null });
  await expect(getSkill(user.ctx, given.id)).rejects.toMatchObject({ code: "not_found" });
  const other = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  expect(await getSkill(other.ctx, "triage")).toMatchObject({ id: shared.id });
  await expect(publishSkill(user.ctx, given.id, { persona: agent.persona.id })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a persona’s lists keep skills out of what its agents are shown, with the rule", async () => {
  const user = await person();
  const kept = await playbook(user, "lists-kept", "me");
  const denied = await playbook(user, "lists-denied", "me");
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only", allow: ["lists-*"], deny: ["*-denied"] });
  expect(await namesOf(agent.ctx, "lists-")).toEqual([kept.id]);
  const page = await listSkills(agent.ctx, ListSkillsQuery.parse({ q: "lists-", limit: 1 }));
  expect(page.items.map(({ id }) => id)).toEqual([kept.id]);
  await expect(getSkill(agent.ctx, denied.id)).rejects.toMatchObject({ code: "forbidden", rule: "persona-deny" });
  await expect(getInstructions(agent.ctx, "lists-denied")).rejects.toMatchObject({ rule: "persona-deny" });
  expect(await getInstructions(agent.ctx, "lists-kept")).toMatchObject({ name: "lists-kept" });
});

test("adopting makes a public skill personal, follows what is approved there, and ends", async () => {
  const [owner, user] = [await person(), await person()];
  const { id } = await playbook(owner, "adopt-me", "me");
  await expect(adoptSkill(user.ctx, id)).rejects.toMatchObject({ code: "not_found" });
  await updateSkill(admin.ctx, id, { visibility: "public" });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  await expect(getSkill(agent.ctx, id)).rejects.toMatchObject({ code: "not_found" });
  const shared = await playbook(admin, "adopt-me", "org", "# Of all\n");
  expect(await getSkill(user.ctx, "adopt-me")).toMatchObject({ id: shared.id });
  expect(await adoptSkill(user.ctx, id)).toMatchObject({
    adopted: true,
    nameScope: "personal",
    shadows: [{ id: shared.id }],
  });
  await adoptSkill(user.ctx, id);
  expect(await database.reader.adoption.count({ where: { skillId: id } })).toBe(1);
  expect(await getSkill(agent.ctx, "adopt-me")).toMatchObject({ id });

  const upload = await zipUpload("adopt-me", playbookFiles({ name: "adopt-me", body: "# Second\n" }));
  const [next] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  expect((await getInstructions(agent.ctx, "adopt-me")).instructions).not.toContain("Second");
  const comment = "";
  await decideVersion(reviewer.ctx, id, next?.pendingVersion?.digest ?? "", { decision: "approve", comment });
  expect((await getInstructions(agent.ctx, "adopt-me")).instructions).toContain("Second");

  await unadoptSkill(user.ctx, id);
  expect(await getSkill(agent.ctx, "adopt-me")).toMatchObject({ id: shared.id });
  await expect(adoptSkill(owner.ctx, id)).rejects.toMatchObject({ code: "conflict" });
});

test("an unlisted skill is refused at the next call and at the lease, and works again when listed", async () => {
  const user = await person();
  const worker = await testWorker(database);
  const skill = await approvedSkill(user.ctx, reviewer.ctx, { name: "unlist_me" });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  await startRun(agent.ctx, skill.id, INPUT);
  await expect(updateSkill(user.ctx, skill.id, { listed: false })).rejects.toMatchObject({ code: "forbidden" });
  await updateSkill(admin.ctx, skill.id, { listed: false });
  expect(await worker.lease(4)).toEqual([]);
  await expect(startRun(agent.ctx, skill.id, INPUT)).rejects.toMatchObject({ code: "not_approved", rule: "unlisted" });
  await expect(startRun(user.ctx, skill.id, INPUT)).rejects.toMatchObject({ rule: "unlisted" });
  await expect(getInstructions(user.ctx, skill.id)).rejects.toMatchObject({ rule: "unlisted" });
  await expect(getSkill(agent.ctx, skill.id)).rejects.toMatchObject({ rule: "unlisted" });
  expect(await namesOf(agent.ctx, "unlist_me")).toEqual([]);
  expect(await namesOf(user.ctx, "unlist_me")).toEqual([skill.id]);
  await updateSkill(admin.ctx, skill.id, { listed: true });
  await startRun(agent.ctx, skill.id, INPUT);
  expect(await worker.lease(4)).toHaveLength(1);
});

test("publishing hands the same bytes to review for the organisation, and not twice", async () => {
  const user = await person();
  const own = await approvedSkill(user.ctx, reviewer.ctx, { name: "publish_me" });
  const made = await publishSkill(user.ctx, own.id, {});
  expect(made).toMatchObject({ owner: { kind: "org" }, currentVersion: null, pendingVersion: { digest: own.digest } });
  expect(made.id).not.toBe(own.id);
  expect((await publishSkill(user.ctx, own.id, {})).id).toBe(made.id);
  const sign = { decision: "approve", comment: "" } as const;
  await expect(decideVersion(user.ctx, made.id, own.digest, sign)).rejects.toMatchObject({ code: "forbidden" });
  await decideVersion(reviewer.ctx, made.id, own.digest, sign);
  await expect(publishSkill(user.ctx, own.id, {})).rejects.toMatchObject({ code: "conflict" });
  await expect(publishSkill(reviewer.ctx, made.id, {})).rejects.toMatchObject({ code: "conflict" });
  await expect(publishSkill((await person()).ctx, own.id, {})).rejects.toMatchObject({ code: "not_found" });
});

test("authors cannot approve their files by having another person publish them", async () => {
  const author = await person("reviewer");
  await updateSettings(admin.ctx, { soloMode: false });
  const files = packFiles({ name: "laundered", manifest: { class: "mutating" } });
  const [skill] = (await importSkills(author.ctx, { ...(await zipUpload("p", files)), owner: "me" })).skills;
  const made = await publishSkill(admin.ctx, skill?.id ?? "", {});
  const sign = decideVersion(author.ctx, made.id, made.pendingVersion?.digest ?? "", {
    decision: "approve",
    comment: "",
  });
  await expect(sign).rejects.toMatchObject({ code: "separation_of_duties" });
});
