import { expect, test } from "vitest";
import { decideVersion } from "@/lib/review/decide-version";
import { updateSettings } from "@/lib/settings/update-settings";
import { updateSkill } from "@/lib/skills/edit-skills";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { startRun } from "./start-run";

const { person, database } = await testDatabase();
const user = await person();
const reviewer = await person("reviewer");
const admin = await person("admin");
const worker = await testWorker(database);

/** Returns a skill that ran, and the id that its worker gives to the prewarmed process. */
async function warmSkill(toolName: string) {
  const skill = await approvedSkill(user.ctx, reviewer.ctx, { name: toolName });
  await startRun(user.ctx, skill.id, { args: { text: "x" }, wait: 0 });
  const [lease] = await worker.lease();
  if (!lease?.warm) throw new Error("the pack may not wait");
  await worker.complete(lease, {});
  return { ...skill, warm: lease.warm };
}

test("a worker that does not ask is told nothing, and one that does hears what still stands and its bounds", async () => {
  const { warm } = await warmSkill("standing");
  expect(await worker.say({})).not.toHaveProperty("warm");
  expect((await worker.say({ warm: [warm, "no such pack"] })).warm).toEqual({ memoryMiB: 256, current: [warm] });
  expect((await worker.say({ warm: [] })).warm).toEqual({ memoryMiB: 256, current: [] });
});

test("a version that was revoked does not stand any more, in the very next exchange", async () => {
  const { id, digest, warm } = await warmSkill("revoked");
  await decideVersion(reviewer.ctx, id, digest, { decision: "revoke", comment: "a hole" });
  expect((await worker.say({ warm: [warm] })).warm?.current).toEqual([]);
});

test("a skill that is switched off does not stand until it is on again", async () => {
  const { id, warm } = await warmSkill("switched");
  await updateSkill(user.ctx, id, { enabled: false });
  expect((await worker.say({ warm: [warm] })).warm?.current).toEqual([]);
  await updateSkill(user.ctx, id, { enabled: true });
  expect((await worker.say({ warm: [warm] })).warm?.current).toEqual([warm]);
});

test("what was approved under another subject is another pack", async () => {
  const { warm } = await warmSkill("resigned");
  await database.writer.version.update({ where: { id: warm.split(" ")[0] ?? "" }, data: { subject: "f".repeat(64) } });
  expect((await worker.say({ warm: [warm] })).warm?.current).toEqual([]);
});

test("the settings bound the memory, and switch warm starts off", async () => {
  const { warm } = await warmSkill("bounded");
  await updateSettings(admin.ctx, { warmMemoryMiB: 64 });
  expect((await worker.say({ warm: [warm] })).warm).toEqual({ memoryMiB: 64, current: [warm] });
  await updateSettings(admin.ctx, { warmStarts: false });
  expect((await worker.say({ warm: [warm] })).warm).toEqual({ memoryMiB: 0, current: [] });
});
