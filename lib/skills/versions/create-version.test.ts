import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/core/hash";

import { createSkill } from "@/lib/skills/edit-skills";
import { testDatabase } from "@/lib/testing/test-database";
import { createVersion } from "./create-version";
import { getVersionFile } from "./get-version-file";
import { listVersions } from "./list-versions";

const { person } = await testDatabase();

const playbook = (name: string, body: string) => ({
  path: "SKILL.md",
  text: `---\nname: ${name}\ndescription: Tidies notes.\n---\n\n${body}\n`,
});

async function started(name: string) {
  const { ctx } = await person();
  const png = { path: "logo.png", base64: Buffer.from([137, 80, 0, 255]).toString("base64") };
  const skill = await createSkill(ctx, { files: [playbook(name, "One."), png] });
  const [first] = (await listVersions(ctx, skill.id, { limit: 10 })).items;
  return { ctx, skill, baseDigest: first?.digest ?? "", sha256: sha256Hex(Buffer.from([137, 80, 0, 255])) };
}

test("bytes that the skill has are named by their hash, and stored under their new path", async () => {
  const { ctx, skill, baseDigest, sha256 } = await started("named-bytes");
  const files = [playbook("named-bytes", "Two."), { path: "icon.png", sha256 }];
  const version = await createVersion(ctx, skill.id, { files, baseDigest });
  expect(version).toMatchObject({ number: 2, state: "draft" });
  expect(version.files.map(({ path, isText }) => [path, isText])).toEqual([
    ["SKILL.md", true],
    ["icon.png", false],
  ]);
  const { bytes } = await getVersionFile(ctx, skill.id, version.digest, "icon.png");
  expect([...bytes]).toEqual([137, 80, 0, 255]);
});

test("a hash opens nothing that belongs to another skill", async () => {
  const other = await started("keeps-its-bytes");
  const { ctx, skill, baseDigest } = await started("wants-bytes");
  const secret = sha256Hex(playbook("keeps-its-bytes", "One.").text);
  await expect(other.ctx.db.versionFile.count({ where: { sha256: secret } })).resolves.toBe(1);
  const files = [playbook("wants-bytes", "Two."), { path: "x.md", sha256: secret }];
  await expect(createVersion(ctx, skill.id, { files, baseDigest })).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "x.md" }],
  });
  expect((await listVersions(ctx, skill.id, { limit: 10 })).items).toHaveLength(1);
});

test("the second of two edits is refused with the name of the first author, and nothing is stored", async () => {
  const { ctx, skill, baseDigest } = await started("contested");
  await createVersion(ctx, skill.id, { files: [playbook("contested", "Theirs.")], baseDigest });
  const mine = { files: [playbook("contested", "Mine.")], baseDigest };
  await expect(createVersion(ctx, skill.id, mine)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("saved version 2"),
  });
  expect((await listVersions(ctx, skill.id, { limit: 10 })).items).toHaveLength(2);
});

test("a path that is refused, and another name, store nothing", async () => {
  const { ctx, skill, baseDigest } = await started("strict-paths");
  const outside = [playbook("strict-paths", "Two."), { path: "../x", text: "" }];
  await expect(createVersion(ctx, skill.id, { files: outside, baseDigest })).rejects.toMatchObject({
    code: "archive_rejected",
  });
  const renamed = { files: [playbook("other-name", "Two.")], baseDigest };
  await expect(createVersion(ctx, skill.id, renamed)).rejects.toMatchObject({ code: "invalid" });
  expect((await listVersions(ctx, skill.id, { limit: 10 })).items).toHaveLength(1);
});
