import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { InstallEntry } from "@/lib/skill-format/schema";
import { updateSkill } from "@/lib/skills/edit-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { listSkills } from "../list-skills";
import { ListSkillsQuery } from "../schema";
import { importSkills } from "../transfer/import-skills";
import { getInstructions } from "../versions/get-instructions";
import { getVersion } from "../versions/get-version";
import { setEligibilityPolicy } from "./eligibility-policy";
import { getSkillAccess, installCommand } from "./get-skill-access";

const { person, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];

const REQUIRES = `metadata:
  openclaw:
    requires: { capabilities: ["shell.exec"], bins: ["gh"] }
    install: [{ id: brew, kind: brew, formula: gh, bins: [gh], label: "Install gh" }]
`;

async function approvedPlaybook(owner: Awaited<ReturnType<typeof person>>, name: string, more = "") {
  const upload = await zipUpload(name, playbookFiles({ name, more }));
  const [skill] = (await importSkills(owner.ctx, { ...upload, owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  await decideVersion(reviewer.ctx, skill?.id ?? "", digest, { decision: "approve", comment: "" });
  return updateSkill(owner.ctx, skill?.id ?? "", { enabled: true });
}

test("each stage answers why an agent does not see a skill, and the first one counts", async () => {
  const user = await person();
  const skill = await approvedPlaybook(user, "issue-triage", REQUIRES);
  const agent = await agentOf(admin.ctx, user, { permissionMode: "dual-sign-required", deny: ["secret-*"] });
  const verdict = async () => {
    const { viewers } = await getSkillAccess(user.ctx, skill.id);
    const [viewer] = viewers;
    return [viewer?.sees, viewer?.stages.find(({ passed }) => passed === false)?.stage, viewer?.reason];
  };
  expect(await verdict()).toEqual([false, "runtime", expect.stringContaining("no worker is online")]);

  await testWorker(database);
  const offer = (offers: Record<string, string[]>) =>
    database.writer.worker.updateMany({ data: { offers: JSON.stringify(offers), lastSeenAt: new Date() } });
  await offer({ capabilities: ["shell.exec"], bins: ["jq"] });
  expect(await verdict()).toEqual([false, "runtime", expect.stringContaining("gh")]);
  await expect(getInstructions(agent.ctx, skill.id)).rejects.toMatchObject({ rule: "ineligible-runtime" });
  await offer({ capabilities: ["shell.exec"], bins: ["gh"] });
  expect((await getInstructions(agent.ctx, skill.id)).name).toBe("issue-triage");
  expect(await verdict()).toEqual([true, undefined, "The skill is offered to this agent."]);

  await setEligibilityPolicy(admin.ctx, { entries: { "issue-triage": { enabled: false } }, config: {} });
  expect(await verdict()).toEqual([false, "switch", expect.stringContaining("An admin hides it")]);
  await expect(getInstructions(agent.ctx, skill.id)).rejects.toMatchObject({ rule: "ineligible-switch" });
  const seen = await listSkills(agent.ctx, ListSkillsQuery.parse({ q: "issue-triage" }));
  expect(seen.items).toEqual([]);
  expect((await getInstructions(user.ctx, skill.id)).name).toBe("issue-triage");
  expect((await getSkillAccess(user.ctx, skill.id)).override).toEqual({ by: "name", key: "issue-triage" });
  await setEligibilityPolicy(admin.ctx, { entries: {}, config: {} });
  await updateSkill(user.ctx, skill.id, { enabled: false });
  expect(await verdict()).toEqual([false, "switch", "It is switched off."]);
  await updateSkill(admin.ctx, skill.id, { listed: false });
  expect(await verdict()).toEqual([false, "switch", "An admin blocked it."]);

  const { persona } = agent;
  await database.writer.persona.update({ where: { id: persona.id }, data: { deny: '["issue-*"]' } });
  expect(await verdict()).toEqual([false, "persona", expect.stringContaining("issue-*")]);
  await expect(setEligibilityPolicy(user.ctx, { entries: {}, config: {} })).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("it tells the requirements, the commands for them, and what a run leads to", async () => {
  const user = await person();
  const skill = await approvedPlaybook(user, "with-commands", REQUIRES);
  const access = await getSkillAccess(user.ctx, skill.id);
  expect(access.install).toEqual([{ kind: "brew", label: "Install gh", bins: ["gh"], command: "brew install gh" }]);
  expect(access.requirements.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["capability shell.exec", "bin gh"]);
  expect(access).toMatchObject({
    people: expect.stringContaining("Reviewers and admins"),
    scope: "personal",
    publish: { may: true, published: null },
    adoption: { may: false, adopted: false, adopters: 0 },
    mayUnlist: false,
  });
  const pack = await approvedSkill(user.ctx, reviewer.ctx, { name: "mutate_it", manifest: { class: "mutating" } });
  await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const { viewers } = await getSkillAccess(user.ctx, pack.id);
  expect(viewers).toMatchObject([
    { sees: false, reason: expect.stringContaining("read-only"), run: { outcome: "refuse" } },
  ]);

  const other = await person();
  const safe = await approvedSkill(other.ctx, reviewer.ctx, { name: "read_it" });
  await agentOf(admin.ctx, other, { permissionMode: "read-only", scopes: ["read"] });
  const [reader] = (await getSkillAccess(other.ctx, safe.id)).viewers;
  const lacksRun = expect.stringContaining("“run”");
  expect(reader).toMatchObject({ sees: false, reason: lacksRun, run: { outcome: "refuse", reason: lacksRun } });
  const words = await approvedPlaybook(other, "words-alone");
  expect((await getSkillAccess(other.ctx, words.id)).viewers).toMatchObject([{ sees: true, run: null }]);
});

test("people see their own agents, admins all and personas without any, an agent itself", async () => {
  const [user, other] = [await person(), await person()];
  const skill = await approvedPlaybook(user, "who-sees", "");
  const mine = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const theirs = await agentOf(admin.ctx, other, { permissionMode: "read-only" });
  expect((await getSkillAccess(user.ctx, skill.id)).viewers.map(({ id }) => id)).toEqual([mine.tokenId]);
  const all = (await getSkillAccess(admin.ctx, skill.id)).viewers;
  expect(all.find(({ id }) => id === theirs.tokenId)).toMatchObject({
    sees: false,
    stages: expect.arrayContaining([{ stage: "reach", passed: false, reason: expect.stringContaining("private") }]),
  });
  expect((await getSkillAccess(mine.ctx, skill.id)).viewers.map(({ id }) => id)).toEqual([mine.tokenId]);
  await expect(getSkillAccess(theirs.ctx, skill.id)).rejects.toMatchObject({ code: "not_found" });

  const shadow = await zipUpload("who-sees", playbookFiles({ name: "who-sees" }));
  const [shared] = (await importSkills(admin.ctx, { ...shadow, owner: "org" })).skills;
  const digest = shared?.pendingVersion?.digest ?? "";
  await decideVersion(reviewer.ctx, shared?.id ?? "", digest, { decision: "approve", comment: "" });
  await updateSkill(admin.ctx, shared?.id ?? "", { enabled: true });
  const answer = await getSkillAccess(user.ctx, shared?.id ?? "");
  expect(answer.shadowedBy).toMatchObject({ id: skill.id });
  expect(answer.viewers[0]).toMatchObject({ sees: false, reason: expect.stringContaining("names another skill") });
});

test.each([
  ["cut off", `metadata: '{"gsv":{"requires":{"capabilities":'\n`],
  ["no JSON", "metadata: '{not json'\n"],
  ["cut off in the frontmatter", `metadata: {"gsv":{"requires":\n`],
])("unreadable requirements are reported by the import and hide the skill from all agents: %s", async (how, more) => {
  const user = await person();
  const name = `unread-${how.replaceAll(" ", "-")}`;
  const upload = await zipUpload(name, playbookFiles({ name, more }));
  const { skills, diagnostics } = await importSkills(user.ctx, { ...upload, owner: "me" });
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: "metadata_unreadable", severity: "warning" }));
  const [skill] = skills;
  const digest = skill?.pendingVersion?.digest ?? "";
  const { diagnostics: kept } = await getVersion(user.ctx, skill?.id ?? "", digest);
  expect(kept).toContainEqual(expect.objectContaining({ code: "metadata_unreadable" }));
  await decideVersion(reviewer.ctx, skill?.id ?? "", digest, { decision: "approve", comment: "" });
  await updateSkill(user.ctx, skill?.id ?? "", { enabled: true });
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only" });
  const access = await getSkillAccess(user.ctx, skill?.id ?? "");
  expect(access.stages.find(({ passed }) => passed === false)?.stage).toBe("requirements");
  expect(access.viewers).toMatchObject([{ sees: false, reason: expect.stringContaining("cannot be read") }]);
  await expect(getInstructions(agent.ctx, skill?.id ?? "")).rejects.toMatchObject({
    rule: "ineligible-requirements",
  });
});

test.each([
  [{ kind: "brew", target: "gh" }, "brew install gh"],
  [{ kind: "apt", target: "jq" }, "sudo apt-get install jq"],
  [{ kind: "node", target: "@acme/tool@1.2.0" }, "npm install -g @acme/tool@1.2.0"],
  [{ kind: "go", target: "example.test/x/cmd" }, "go install example.test/x/cmd@latest"],
  [{ kind: "uv", target: "ruff" }, "uv tool install ruff"],
  [{ kind: "download", target: "https://example.test/a.tgz" }, "curl -fLO https://example.test/a.tgz"],
  [{ kind: "brew", target: "gh; rm -rf ~" }, null],
  [{ kind: "brew", target: "--force" }, null],
  [{ kind: "toString", target: "x" }, null],
  [{ kind: "brew", target: null }, null],
])("%o is installed by %s", (entry, command) => {
  expect(installCommand(InstallEntry.parse(entry))).toBe(command);
});
