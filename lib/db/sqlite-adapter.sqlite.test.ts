import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { openDatabase } from "./open-database";
import { query } from "./sql";

const given = await testDatabase();
const database = await openDatabase({ ...given.address, file: "file" in given.address ? given.address.file : "" });
afterAll(() => database.close());

const setting = (key: string) => ({
  key,
  value: "1",
  updatedAt: new Date("2026-01-02T03:04:05.678Z"),
  updatedBy: null,
});
const STORED = query<{ updatedAt: string }>(`SELECT "updatedAt" FROM "Setting" WHERE "key" = ?`);

test("what Prisma writes is read by plain SQL, in the format that both keep moments in", async () => {
  const row = await database.writer.setting.create({ data: setting("moment") });
  expect(await database.readSql.get(STORED, "moment")).toEqual({ updatedAt: "2026-01-02T03:04:05.678+00:00" });
  expect(row.updatedAt).toEqual(new Date("2026-01-02T03:04:05.678Z"));
  expect(await database.reader.setting.findMany({ where: { updatedAt: row.updatedAt } })).toEqual([row]);
});

test("bytes, numbers and counts come back as they were", async () => {
  const data = { sha256: "a".repeat(64), bytes: randomBytes(40), size: 2_147_483_647, createdAt: new Date(0) };
  await database.writer.blob.create({ data });
  const blob = await database.reader.blob.findUniqueOrThrow({ where: { sha256: data.sha256 } });
  expect({ ...blob, bytes: Buffer.from(blob.bytes) }).toEqual(data);
  expect(await database.reader.$queryRaw`SELECT COUNT(*) AS "n", 9007199254740993 AS "big", 0.5 AS "half"`).toEqual([
    { n: 1n, big: 9007199254740993n, half: 0.5 },
  ]);
});

test("violations of the schema have Prisma’s codes", async () => {
  await database.writer.setting.create({ data: setting("twice") });
  await expect(database.writer.setting.create({ data: setting("twice") })).rejects.toMatchObject({ code: "P2002" });
  const line = { runId: "none", seq: 1, at: new Date(), stream: "system", text: "" };
  await expect(database.writer.runEvent.create({ data: line })).rejects.toMatchObject({ code: "P2003" });
});

test("a reading connection takes neither a write nor a transaction", async () => {
  await expect(database.reader.setting.create({ data: setting("never") })).rejects.toThrow(/readonly/);
  await expect(database.reader.$transaction((tx) => tx.setting.count())).rejects.toThrow(/reading connection/);
});

test("a transaction that fails leaves nothing, and the next one begins", async () => {
  const failed = database.writer.$transaction(async (tx) => {
    await tx.setting.create({ data: setting("undone") });
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  await database.writer.$transaction((tx) => tx.setting.create({ data: setting("kept") }));
  expect(await database.reader.setting.count({ where: { key: { in: ["undone", "kept"] } } })).toBe(1);
});
