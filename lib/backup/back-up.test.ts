import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createCtx } from "@/lib/db/context";
import { backUp, backUpWhenDue, listBackups } from "./back-up";
import { checkDatabase } from "./check-database";
import { smallInstance } from "./testing/small-instance";

const { dataDir, database, ctx, end } = await smallInstance();
const folder = `${dataDir}-backups`;
const given = { SKILLGATE_DATA: process.env.SKILLGATE_DATA, DATABASE_URL: process.env.DATABASE_URL };
beforeAll(() => {
  process.env.SKILLGATE_DATA = dataDir;
  delete process.env.DATABASE_URL;
});
afterAll(async () => {
  Object.assign(process.env, given);
  await end();
});
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const start = Date.UTC(2026, 0, 2, 3, 4, 5);
const hours = (count: number) => new Date(start + count * 3_600_000);
const after = (count: number) =>
  createCtx({ actor: { kind: "system", name: "test" }, database, now: () => hours(count) });
const events = (action: string) => database.reader.auditEvent.findMany({ where: { action }, orderBy: { seq: "desc" } });

async function settings(values: { backupEveryHours: number; backupsKept: number }) {
  for (const [key, value] of Object.entries(values)) {
    const data = { value: JSON.stringify(value), updatedAt: new Date(), updatedBy: null };
    await database.writer.setting.upsert({ where: { key }, create: { key, ...data }, update: data });
  }
}

test("one that was made is listed and recorded; none is made by itself unless the settings say so", async () => {
  const made = await backUp(after(0));
  expect(await listBackups(after(0))).toEqual({
    ...{ backups: [made], lastFailure: null, running: false, progress: null },
    schedule: { everyHours: 0, keep: 7, folder, nextAt: null },
  });
  expect((await events("backup.make"))[0]).toMatchObject({ outcome: "ok", targetName: made.name });
  expect(await backUpWhenDue(after(999))).toBeNull();
});

test("the second of two concurrent backups is refused; the first tells how far it is", async () => {
  const making = Promise.allSettled([backUp(after(1)), backUp(after(2))]);
  const { running, progress } = await listBackups(ctx);
  expect([running, progress]).toEqual([true, { bytes: expect.any(Number), atMost: expect.any(Number) }]);
  expect(progress?.atMost).toBeGreaterThan(0);
  const both = await making;
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect((await listBackups(ctx)).backups).toHaveLength(1);
});

test("one that fails is recorded with the reason, tried again after an hour, and forgotten once one was made", async () => {
  await settings({ backupEveryHours: 24, backupsKept: 1 });
  writeFileSync(folder, "in the way");
  await expect(backUpWhenDue(after(0))).rejects.toThrow(/cannot be written/);
  const reason = expect.stringMatching(/cannot be written/);
  expect((await events("backup.fail"))[0]).toMatchObject({ outcome: "failed", summary: reason });
  const failed = await listBackups(after(0));
  expect(failed.lastFailure).toEqual({ at: hours(0).toISOString(), reason });
  expect(failed.schedule.nextAt).toBe(hours(1).toISOString());
  expect(await backUpWhenDue(after(0.5))).toBeNull();
  rmSync(folder);
  expect(await backUpWhenDue(after(1))).toMatch(/^made skillgate-20260102T040405Z$/);
  expect((await listBackups(after(1))).lastFailure).toBeNull();
  expect(await backUpWhenDue(after(24))).toBeNull();
  expect(await backUpWhenDue(after(25))).toBe("made skillgate-20260103T040405Z, removed skillgate-20260102T040405Z");
});

test("only admins make and see backups", async () => {
  const actor = {
    kind: "user",
    userId: "u",
    name: "u",
    email: "u@example.test",
    role: "user",
    sessionId: "s",
  } as const;
  const theirs = createCtx({ actor, database });
  await expect(backUp(theirs)).rejects.toMatchObject({ code: "forbidden" });
  await expect(listBackups(theirs)).rejects.toMatchObject({ code: "forbidden" });
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
});

test("a database without damage passes the weekly look", async () => {
  expect(await checkDatabase(ctx)).toMatch(/every page/);
});
