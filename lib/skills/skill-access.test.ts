import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { agentOf } from "@/lib/testing/agent-of";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { adoptSkill, unadoptSkill } from "./community/adoption";
import { createSkill, updateSkill } from "./edit-skills";
import { getSkill } from "./get-skill";
import { exportSkill } from "./transfer/export-skills";
import { importSkills } from "./transfer/import-skills";
import { ExportQuery } from "./transfer/schema";
import { getVersionFile } from "./versions/get-version-file";
import { listVersions } from "./versions/list-versions";

const { database, person } = await testDatabase();
const [admin, reviewer] = [await person("admin"), await person("reviewer")];

async function playbook(ctx: Ctx, name: string, owner: "me" | "org", body = "# Do it\n") {
  const upload = await zipUpload(name, playbookFiles({ name, body }));
  const [skill] = (await importSkills(ctx, { ...upload, owner })).skills;
  if (!skill?.pendingVersion) throw new Error("the playbook was not imported");
  return { id: skill.id, digest: skill.pendingVersion.digest };
}

test("a name means a skill of one’s own scopes, however many others have one of that name", async () => {
  const first = await playbook((await person()).ctx, "many-twins", "me");
  const row = await database.reader.skill.findUniqueOrThrow({ where: { id: first.id } });
  // Older than all skills below, and more than fit into one answer.
  const twins = Array.from({ length: 60 }, () => ({ ...row, id: newId(), ownerKey: newId(), ownerId: null }));
  await database.writer.skill.createMany({
    data: twins.map((twin) => ({ ...twin, currentId: null, pendingId: null })),
  });
  expect((await getSkill(reviewer.ctx, "many-twins")).id).toBe(first.id);
  const shared = await playbook(admin.ctx, "many-twins", "org");
  for (const { ctx } of [reviewer, admin]) expect((await getSkill(ctx, "many-twins")).id).toBe(shared.id);
  const own = await playbook(reviewer.ctx, "many-twins", "me");
  expect((await getSkill(reviewer.ctx, "many-twins")).id).toBe(own.id);
  expect((await getSkill(admin.ctx, "many-twins")).id).toBe(shared.id);
});

test("what an admin took off the list is shown to its owner and to those who can put it right", async () => {
  const [owner, user] = [await person(), await person()];
  const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "taken_off" });
  await updateSkill(admin.ctx, skill.id, { visibility: "public" });
  await adoptSkill(user.ctx, skill.id);
  await updateSkill(admin.ctx, skill.id, { listed: false });
  const ways = (ctx: Ctx) => [
    () => getSkill(ctx, skill.id),
    () => getSkill(ctx, "taken_off"),
    () => listVersions(ctx, skill.id, { limit: 10 }),
    () => getVersionFile(ctx, skill.id, skill.digest, "skill.json"),
    () => exportSkill(ctx, skill.id, ExportQuery.parse({})),
  ];
  for (const { ctx } of [owner, reviewer, admin]) for (const way of ways(ctx)) expect(await way()).toBeDefined();
  for (const ctx of [user.ctx, reviewer.token(["read", "run"])]) {
    for (const way of ways(ctx)) await expect(way()).rejects.toMatchObject({ code: "forbidden", rule: "unlisted" });
  }
  await unadoptSkill(user.ctx, skill.id);
  expect(await database.reader.adoption.count({ where: { skillId: skill.id } })).toBe(0);
});

test("an agent that is refused has written nothing", async () => {
  const user = await person();
  const known = await playbook(user.ctx, "zz-known", "me");
  const scopes = ["read" as const, "write" as const];
  const agent = await agentOf(admin.ctx, user, { permissionMode: "read-only", allow: ["ok-*"], scopes });
  const count = async () => [await database.reader.skill.count(), await database.reader.version.count()];
  const before = await count();
  const written = { name: "zz-new", description: "Does it.", body: "# Do\n" };
  await expect(createSkill(agent.ctx, written)).rejects.toMatchObject({ code: "forbidden", rule: "persona-allow" });
  for (const name of ["zz-new", "zz-known"]) {
    await expect(playbook(agent.ctx, name, "me", "# Other\n")).rejects.toMatchObject({ rule: "persona-allow" });
  }
  expect(await count()).toEqual(before);
  const row = await database.reader.skill.findUniqueOrThrow({ where: { id: known.id }, include: { pending: true } });
  expect(row.pending?.digest).toBe(known.digest);
  expect(await createSkill(agent.ctx, { ...written, name: "ok-new" })).toMatchObject({ name: "ok-new" });
});
