import { expect, test, vi } from "vitest";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { distributionWorld } from "./testing/distribution-world";

const released = vi.hoisted(() => [] as { digest: string }[]);
vi.mock("@/lib/skills/approval/release-manifest", async (original) => ({
  ...(await original<typeof import("@/lib/skills/approval/release-manifest")>()),
  releaseManifest: async () => ({ release: "1", builtins: released }),
}));

const { ask, person, publish, readIndex, database } = await distributionWorld();

test("a built-in is not offered: its folder holds nothing that another client could run", async () => {
  const files = skillFiles({ "SKILL.md": "---\nname: disk-report\ndescription: D.\n---\n# D\n" });
  const one = await publish(await person(), { name: "disk-report", files });
  await database.writer.skill.update({ where: { id: one.id }, data: { source: "worker" } });
  const names = async () => (await readIndex()).skills.map(({ name }) => name);
  // A skill that a worker submitted and a person approved is offered like any other.
  expect(await names()).toEqual(["disk-report"]);
  released.push({ digest: one.digest });
  expect(await names()).toEqual([]);
  for (const path of [
    `/a/disk-report/${one.digest}.zip`,
    "/.well-known/skills/disk-report/SKILL.md",
    `/s/${one.handle}/disk-report/.well-known/agent-skills/index.json`,
  ]) {
    expect((await ask(path)).status, path).toBe(404);
  }
  expect(await (await ask("/api/search?q=disk")).json()).toMatchObject({ skills: [] });
});
