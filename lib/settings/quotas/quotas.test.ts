import { expect, test } from "vitest";
import type { Ctx } from "@/lib/db/context";
import { startRun } from "@/lib/runner/runs/start-run";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { updateSettings } from "../update-settings";
import { listQuotas, updateQuotas } from "./person-quotas";
import type { PatchQuotasInput, QuotaKey } from "./schema";

const { database, person } = await testDatabase();
const admin = await person("admin", "Adam");

const HOUR_MS = 3_600_000;
const later = (ctx: Ctx, ms: number): Ctx => ({ ...ctx, now: () => new Date(Date.now() + ms) });
const limit = (userId: string, patch: PatchQuotasInput) => updateQuotas(admin.ctx, { userId, patch });
const run = (ctx: Ctx, id: string, more = {}) => startRun(ctx, id, { args: { text: "x" }, wait: 0, ...more });

async function importOne(ctx: Ctx, name: string, more = "") {
  const notes = { path: "notes.md", mode: "644" as const, bytes: new TextEncoder().encode(`${name} ${more}`) };
  const files = [...packFiles({ name }), notes];
  return importSkills(ctx, { ...(await zipUpload("pack", files)), owner: "me" });
}

async function usage(ctx: Ctx, userId: string, key: QuotaKey) {
  return (await listQuotas(ctx, userId)).items.find((item) => item.key === key);
}

test("runs within an hour are counted back from now, and a refusal names the quota and when it frees", async () => {
  const ann = await person("user", "Ann");
  const skill = await approvedSkill(ann.ctx, admin.ctx, { name: "hourly" });
  await limit(ann.id, { runsPerHour: 2 });
  const before = Date.now();
  await run(ann.ctx, skill.id);
  await run(later(ann.ctx, 1000), skill.id);
  const refused = await run(ann.ctx, skill.id).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    ...{ code: "rate_limited", status: 429, rule: "runsPerHour" },
    message: expect.stringContaining("2 runs within an hour"),
  });
  const { retryAfterSeconds = 0 } = refused as { retryAfterSeconds?: number };
  expect(retryAfterSeconds).toBeGreaterThan(3590 - (Date.now() - before) / 1000);
  expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
  expect(await run(ann.ctx, skill.id, { dryRun: true })).toMatchObject({ dryRun: { ok: true } });
  expect(await run(later(ann.ctx, HOUR_MS + 500), skill.id)).toMatchObject({ run: { state: "queued" } });
  expect(await usage(ann.ctx, ann.id, "runsPerHour")).toMatchObject({ limit: 2, own: true, used: 3 });
});

test("runs that are asked for at the same moment do not slip past together", async () => {
  const ben = await person("user", "Ben");
  const skill = await approvedSkill(ben.ctx, admin.ctx, { name: "at_once" });
  await limit(ben.id, { runsAtOnce: 3 });
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => run(ben.ctx, skill.id)));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const one of asked.filter(({ status }) => status === "rejected")) {
    expect(one).toMatchObject({ reason: { code: "rate_limited", rule: "runsAtOnce" } });
  }
  await database.writer.run.updateMany({ where: { callerId: ben.id }, data: { state: "succeeded" } });
  expect(await run(ben.ctx, skill.id)).toMatchObject({ run: { state: "queued" } });
});

test("the number of skills is the owner's, and new versions of one are no further skill", async () => {
  const cara = await person("user", "Cara");
  await limit(cara.id, { skillsPerPerson: 1 });
  await importOne(cara.ctx, "first");
  await importOne(cara.ctx, "first", "changed");
  await expect(importOne(cara.ctx, "second")).rejects.toMatchObject({
    ...{ code: "quota_exceeded", status: 403, rule: "skillsPerPerson" },
  });
  expect(await database.reader.skill.count({ where: { ownerKey: cara.id } })).toBe(1);
});

test("the size of a person's skills and of their imports within a day have separate limits", async () => {
  const dan = await person("user", "Dan");
  await importOne(dan.ctx, "small");
  await limit(dan.id, { skillMiBPerPerson: 1 });
  const big = "x".repeat(1_153_400);
  await expect(importOne(dan.ctx, "big", big)).rejects.toMatchObject({ rule: "skillMiBPerPerson", status: 403 });
  await limit(dan.id, { skillMiBPerPerson: 0, importMiBPerDay: 1 });
  await expect(importOne(dan.ctx, "big", big)).rejects.toMatchObject({ rule: "importMiBPerDay", status: 429 });
  await importOne(later(dan.ctx, 25 * HOUR_MS), "next_day", "small again");
  await limit(dan.id, { importMiBPerDay: 2 });
  await importOne(dan.ctx, "big", big);
  expect(await usage(dan.ctx, dan.id, "importMiBPerDay")).toMatchObject({ limit: 2, used: 1.1, unit: "MiB" });
});

test("settings hold for every person without limits of their own", async () => {
  const eva = await person("user", "Eva");
  const finn = await person("user", "Finn");
  const skill = await approvedSkill(eva.ctx, admin.ctx, { name: "for_all" });
  await updateSettings(admin.ctx, { runsPerDay: 1 });
  await limit(finn.id, { runsPerDay: 0 });
  expect(await usage(finn.ctx, finn.id, "runsPerDay")).toMatchObject({ limit: null, own: true });
  await run(eva.ctx, skill.id);
  await expect(run(eva.ctx, skill.id)).rejects.toMatchObject({ rule: "runsPerDay" });
  await limit(finn.id, { runsPerDay: null });
  expect(await usage(finn.ctx, finn.id, "runsPerDay")).toMatchObject({ limit: 1, own: false });
  await updateSettings(admin.ctx, { runsPerDay: 0 });
});

test("only admins set quotas and see those of others; a change is an event with the old values", async () => {
  const gus = await person("user", "Gus");
  await expect(updateQuotas(gus.ctx, { userId: gus.id, patch: { runsPerDay: 9 } })).rejects.toMatchObject({
    code: "forbidden",
  });
  await expect(listQuotas(gus.ctx, admin.id)).rejects.toMatchObject({ code: "forbidden" });
  await limit(gus.id, { runsPerDay: 9 });
  await limit(gus.id, { runsPerDay: 9 });
  const events = await database.reader.auditEvent.findMany({ where: { action: "user.quotas", concernsId: gus.id } });
  expect(events.map(({ summary, data }) => [summary, JSON.parse(data)])).toEqual([
    ["set quotas of Gus: runsPerDay to 9", { before: { runsPerDay: null }, after: { runsPerDay: 9 } }],
  ]);
  await expect(limit("nobody", { runsPerDay: 1 })).rejects.toMatchObject({ code: "not_found" });
});
