import { expect, test } from "vitest";
import { openVersion } from "@/lib/review/open-version";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";
import { createSkill } from "@/lib/skills/edit-skills";
import { exportSkill } from "@/lib/skills/transfer/export-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { agentOf } from "@/lib/testing/agent-of";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { getVersionFile } from "./get-version-file";
import { listVersions } from "./list-versions";

const { database, person } = await testDatabase();

test("long texts and binaries are kept for people, and withheld from an agent's reads", async () => {
  const admin = await person("admin");
  const owner = await person();
  const agent = await agentOf(admin.ctx, owner, { permissionMode: "read-only" });
  const skill = await createSkill(owner.ctx, {
    files: [
      { path: "SKILL.md", text: "---\nname: long-reads\ndescription: Carries long texts.\n---\n\nRead them.\n" },
      { path: "short.md", text: "x".repeat(MAX_AGENT_TEXT_BYTES) },
      { path: "long.md", text: "x".repeat(MAX_AGENT_TEXT_BYTES + 1) },
      { path: "logo.png", base64: Buffer.from([137, 80, 0, 255]).toString("base64") },
    ],
  });
  const digest = (await listVersions(owner.ctx, skill.id, { limit: 1 })).items[0]?.digest ?? "";
  const read = async (ctx: typeof owner.ctx, path: string) =>
    (await getVersionFile(ctx, skill.id, digest, path)).bytes.length;
  await expect(read(owner.ctx, "long.md")).resolves.toBe(MAX_AGENT_TEXT_BYTES + 1);
  await expect(read(owner.ctx, "logo.png")).resolves.toBe(4);
  await expect(read(agent.ctx, "short.md")).resolves.toBe(MAX_AGENT_TEXT_BYTES);
  await expect(read(agent.ctx, "long.md")).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringContaining("long.md"),
  });
  await expect(read(agent.ctx, "logo.png")).rejects.toMatchObject({ code: "too_large" });
});

test("an agent reads nothing that is not approved, and nothing after it was revoked", async () => {
  const admin = await person("admin");
  const owner = await person();
  const agent = await agentOf(admin.ctx, owner, { permissionMode: "read-only" });
  const [skill] = (await importSkills(owner.ctx, { ...(await zipUpload("book", playbookFiles())), owner: "me" }))
    .skills;
  const [id, digest] = [skill?.id ?? "", skill?.pendingVersion?.digest ?? ""];
  const read = () => getVersionFile(agent.ctx, id, digest, "SKILL.md");
  const open = () => openVersion(agent.ctx, id, digest);
  const take = () => exportSkill(agent.ctx, id, { as: "original", version: digest });
  await expect(read()).rejects.toMatchObject({ code: "not_approved" });
  await expect(take()).rejects.toMatchObject({ code: "not_approved" });
  await expect(open()).rejects.toMatchObject({ code: "not_approved" });
  await expect(openVersion(owner.ctx, id, digest)).resolves.toMatchObject({ manifest: { kind: "playbook" } });
  await database.writer.version.updateMany({ where: { digest }, data: { state: "approved" } });
  expect((await read()).bytes.length).toBeGreaterThan(0);
  expect((await take()).bytes.length).toBeGreaterThan(0);
  await expect(open()).resolves.toMatchObject({ manifest: { kind: "playbook" } });
  await database.writer.version.updateMany({ where: { digest }, data: { state: "revoked" } });
  await expect(read()).rejects.toMatchObject({ code: "not_approved" });
  await expect(take()).rejects.toMatchObject({ code: "not_approved" });
});
