import { expect, test } from "vitest";
import type { JsonObject } from "@/lib/skill-format/schema";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { getRun } from "./runs/get-run";
import { startRun } from "./runs/start-run";
import { StartRunInput } from "./schema";

const { person, database } = await testDatabase();
const [owner, reviewer] = [await person(), await person("reviewer")];
const skill = await approvedSkill(owner.ctx, reviewer.ctx, { name: "limited" });

async function queued(): Promise<{ id: string; limits: JsonObject }> {
  const started = await startRun(owner.ctx, skill.id, StartRunInput.parse({ args: { text: "x" } }));
  if ("dryRun" in started) throw new Error("it was a dry run");
  const { id } = started.run;
  const row = await database.reader.run.findUniqueOrThrow({ where: { id } });
  return { id, limits: JSON.parse(row.limits) as JsonObject };
}

test.each<[string, JsonObject]>([
  ["time", { timeoutMs: 300_000 }],
  ["memory", { memoryBytes: 8 * 1024 ** 3 }],
  ["processes", { processes: 10_000 }],
  ["disk", { diskBytes: 8 * 1024 ** 3 }],
])("a queued run whose limit was raised in the database is not handed out: %s", async (_name, change) => {
  const { id, limits } = await queued();
  await database.writer.run.update({ where: { id }, data: { limits: JSON.stringify({ ...limits, ...change }) } });
  const worker = await testWorker(database);
  expect(await worker.lease()).toEqual([]);
  expect(await getRun(owner.ctx, id)).toMatchObject({ state: "failed", error: { code: "not_approved" } });
});

test("what was read of the files is part of what was approved", async () => {
  const { manifest } = await database.reader.version.findFirstOrThrow({ where: { skillId: skill.id } });
  const other = JSON.stringify({ ...JSON.parse(manifest), body: "Something else than reviewers saw." });
  await database.writer.version.updateMany({ where: { skillId: skill.id }, data: { manifest: other } });
  await expect(queued()).rejects.toMatchObject({
    code: "not_approved",
    message: expect.stringContaining("what was read of its files"),
  });
  await database.writer.version.updateMany({ where: { skillId: skill.id }, data: { manifest } });
  expect(await queued()).toBeTruthy();
});
