import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { deleteSkill } from "@/lib/skills/edit-skills";
import { testDatabase } from "@/lib/testing/test-database";
import { getSkill } from "../get-skill";
import { createVersion } from "../versions/create-version";
import { importSkills } from "./import-skills";
import { listIntegrations, removeIntegration, setUpIntegration, syncIntegrations } from "./integrations";

const root = mkdtempSync(join(tmpdir(), "skillgate-integrations-"));
process.env.SKILLGATE_INTEGRATIONS_DIR = root;
afterAll(() => rmSync(root, { recursive: true, force: true }));

const { person, system, database } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const playbook = (name: string, body: string) => `---\n${name}description: Handles mail.\n---\n\n# Mail\n\n${body}\n`;

write("mail/manifest.yaml", "name: Mail\nversion: 1.0\ndescription: Reads mail.\n");
write("mail/skills/sort-inbox/SKILL.md", playbook("", "Sort it."));
write("mail/skills/answer/SKILL.md", playbook("name: answer-mail\n", "Answer it."));
write("mail/skills/broken/readme.txt", "no skill");
write("nameless/manifest.yaml", "name: Nameless\n");
write("torn/manifest.yaml", "version: [1");

test("integrations are listed, and broken ones with the reason", async () => {
  const { isConfigured, items } = await listIntegrations((await person()).ctx);
  expect(isConfigured).toBe(true);
  expect(items).toMatchObject([
    {
      domain: "mail",
      name: "Mail",
      version: "1.0",
      problem: null,
      skills: [{ name: "answer-mail" }, { name: "broken", problem: expect.any(String) }, { name: "sort-inbox" }],
      entries: [],
    },
    { domain: "nameless", problem: expect.stringContaining("version") },
    { domain: "torn", problem: expect.stringContaining("YAML") },
  ]);
});

test("set up for oneself, its skills wait for review; a new version is a new pending version", async () => {
  const user = await person();
  const { entries } = await setUpIntegration(user.ctx, { domain: "mail", scope: "me" });
  expect(entries).toMatchObject([{ scope: "me", version: "1.0", skipped: [{ name: "broken" }] }]);
  const skill = await getSkill(user.ctx, "sort-inbox");
  expect(skill).toMatchObject({
    source: "integration",
    sourceId: "mail:sort-inbox",
    sourceVersion: "1.0",
    nameScope: "integration",
    owner: { kind: "user", id: user.id },
    enabled: false,
    currentVersion: null,
  });
  expect((await getSkill(user.ctx, "answer-mail")).sourceId).toBe("mail:answer");
  await expect(getSkill((await person()).ctx, "sort-inbox")).rejects.toMatchObject({ code: "not_found" });
  const first = skill.pendingVersion?.digest ?? "";
  await decideVersion(reviewer.ctx, skill.id, first, { decision: "approve", comment: "" });

  write("mail/skills/sort-inbox/SKILL.md", playbook("", "Sort it well."));
  expect(await syncIntegrations(system)).toBe(0);
  write("mail/manifest.yaml", "name: Mail\nversion: 1.10\n");
  expect(await syncIntegrations(system)).toBe(1);
  expect(await syncIntegrations(system)).toBe(0);
  expect(await getSkill(user.ctx, skill.id)).toMatchObject({
    sourceVersion: "1.10",
    currentVersion: { digest: first },
    pendingVersion: { number: 2 },
  });
});

test("what people wrote under the same name comes first, and what they edited stays", async () => {
  const user = await person();
  await setUpIntegration(user.ctx, { domain: "mail", scope: "me" });
  const skill = await getSkill(user.ctx, "answer-mail");
  const bytes = new TextEncoder().encode(playbook("name: answer-mail\n", "My own way."));
  const [own] = (await importSkills(user.ctx, { filename: "SKILL.md", bytes, owner: "me" })).skills;
  expect(await getSkill(user.ctx, "answer-mail")).toMatchObject({
    id: own?.id,
    shadows: [{ id: skill.id, scope: "integration" }],
  });

  const files = [{ path: "SKILL.md", text: playbook("name: answer-mail\n", "Edited here.") }];
  const edited = await createVersion(user.ctx, skill.id, { files, baseDigest: skill.pendingVersion?.digest ?? "" });
  write("mail/skills/answer/SKILL.md", playbook("name: answer-mail\n", "From upstream."));
  write("mail/manifest.yaml", "name: Mail\nversion: 2\n");
  await syncIntegrations(system);
  const { items } = await listIntegrations(user.ctx);
  expect(items[0]?.entries[0]?.skipped).toContainEqual({ name: "answer", reason: expect.stringContaining("changed") });
  expect(edited.number).toBe(2);
  expect((await getSkill(user.ctx, skill.id)).pendingVersion?.number).toBe(1);
});

test("only an admin sets it up for the organisation; removing it removes its skills", async () => {
  const user = await person();
  await expect(setUpIntegration(user.ctx, { domain: "mail", scope: "org" })).rejects.toMatchObject({
    code: "forbidden",
  });
  await setUpIntegration(admin.ctx, { domain: "mail", scope: "org" });
  expect(await getSkill(user.ctx, "sort-inbox")).toMatchObject({ owner: { kind: "org" }, nameScope: "integration" });
  await expect(removeIntegration(user.ctx, { domain: "mail", scope: "org" })).rejects.toMatchObject({
    code: "forbidden",
  });
  await removeIntegration(admin.ctx, { domain: "mail", scope: "org" });
  await expect(getSkill(user.ctx, "sort-inbox")).rejects.toMatchObject({ code: "not_found" });
  await expect(removeIntegration(admin.ctx, { domain: "mail", scope: "org" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a skill of the same name, of the person or the organisation, wins: the integration’s is skipped and says why", async () => {
  const user = await person("user", "Priya");
  const admin = await person("admin");
  write("clash/manifest.yaml", "version: 1\n");
  write("clash/skills/answer-clash/SKILL.md", playbook("", "From the integration."));
  const bytes = new TextEncoder().encode(playbook("name: answer-clash\n", "My own way."));
  const imported = async (ctx: typeof user.ctx, owner: "me" | "org") =>
    (await importSkills(ctx, { filename: "SKILL.md", bytes, owner })).skills[0]?.id ?? "";
  const own = await imported(user.ctx, "me");
  const { entries } = await setUpIntegration(user.ctx, { domain: "clash", scope: "me" });
  const reason = "Priya already has a skill “answer-clash” (imported), which takes precedence.";
  const skipped = [{ name: "answer-clash", reason: expect.stringContaining(reason) }];
  expect(entries).toMatchObject([{ skills: [], skipped }]);
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { action: "integration.read" },
    orderBy: { seq: "desc" },
  });
  expect(event.data).toContain("(imported), which takes precedence");
  await imported(admin.ctx, "org");
  const forAll = await setUpIntegration(admin.ctx, { domain: "clash", scope: "org" });
  expect(forAll.entries).toMatchObject([
    { skills: [], skipped: [{ reason: expect.stringContaining("The organisation already has") }] },
  ]);
  await deleteSkill(user.ctx, own);
  const again = await setUpIntegration(user.ctx, { domain: "clash", scope: "me" });
  expect(again.entries[0]).toMatchObject({ scope: "me", skills: [{ name: "answer-clash" }], skipped: [] });
});

test("a broken one is not set up, nor one outside of the directory, nor a link followed", async () => {
  const user = await person();
  const setUp = (domain: string) => setUpIntegration(user.ctx, { domain, scope: "me" });
  for (const domain of ["nameless", "torn", "..", "../mail", "absent"]) {
    await expect(setUp(domain)).rejects.toMatchObject({ code: "invalid" });
  }
  write("linked/manifest.yaml", "version: 1\n");
  write("linked/skills/thief/SKILL.md", playbook("", "Read this."));
  symlinkSync("/etc/hostname", join(root, "linked/skills/thief/stolen.txt"));
  const { entries } = await setUp("linked");
  expect(entries).toMatchObject([
    { skills: [], skipped: [{ name: "thief", reason: expect.stringContaining("regular file") }] },
  ]);
});

test("versions are compared as written; a manifest without one is invalid", async () => {
  write("numbered/manifest.yaml", "name:\nversion: 1.1\n");
  write("numbered/skills/count/SKILL.md", playbook("name: count-up\n", "Count."));
  const user = await person();
  const { entries, name } = await setUpIntegration(user.ctx, { domain: "numbered", scope: "me" });
  expect([name, entries[0]?.version]).toEqual(["numbered", "1.1"]);
  write("numbered/skills/count/SKILL.md", playbook("name: count-up\n", "Count on."));
  write("numbered/manifest.yaml", "version: 1.10\n");
  expect(await syncIntegrations(system)).toBe(1);
  const { sourceVersion, pendingVersion } = await getSkill(user.ctx, "count-up");
  expect([sourceVersion, pendingVersion?.number]).toEqual(["1.10", 2]);
  write("numbered/manifest.yaml", "version:\n");
  await expect(setUpIntegration(user.ctx, { domain: "numbered", scope: "me" })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("version is missing"),
  });
});

test("a skill that its person deleted stays deleted until the integration is set up anew", async () => {
  write("dropped/manifest.yaml", "version: 1\n");
  write("dropped/skills/gone/SKILL.md", playbook("name: not-wanted\n", "One."));
  const user = await person();
  await setUpIntegration(user.ctx, { domain: "dropped", scope: "me" });
  await deleteSkill(user.ctx, (await getSkill(user.ctx, "not-wanted")).id);
  write("dropped/skills/gone/SKILL.md", playbook("name: not-wanted\n", "Two."));
  write("dropped/manifest.yaml", "version: 2\n");
  expect(await syncIntegrations(system)).toBe(0);
  const { entries } = await setUpIntegration(user.ctx, { domain: "dropped", scope: "me" });
  expect(entries).toMatchObject([
    { skills: [], skipped: [{ name: "gone", reason: expect.stringContaining("deleted") }] },
  ]);

  await removeIntegration(user.ctx, { domain: "dropped", scope: "me" });
  await setUpIntegration(user.ctx, { domain: "dropped", scope: "me" });
  expect((await getSkill(user.ctx, "not-wanted")).pendingVersion?.number).toBe(1);
});
