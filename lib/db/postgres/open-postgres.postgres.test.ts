import { afterAll, expect, test } from "vitest";
import { recordEvent } from "@/lib/audit/record-event";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { type Ctx, createCtx, inQuickTransaction, inTransaction } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { query, sqlOf } from "@/lib/db/sql";
import { testDatabase } from "@/lib/testing/test-database";
import { openChannel } from "./open-postgres";

const { system, address, folder, outside } = await testDatabase();
if (!("url" in address)) throw new Error("these tests need TEST_DATABASE_URL");
const { url } = address;
const other = await openDatabase(address);
afterAll(() => other.close());
const elsewhere = createCtx({ actor: { kind: "system", name: "another process" }, database: other });

const INSERT = query(`INSERT INTO "Setting" ("key", "value", "updatedAt", "updatedBy") VALUES (?, ?, ?, ?)`);
const BEHIND = query<{ pid: number }>(`SELECT pg_backend_pid() AS "pid"`);
const insert = (ctx: Ctx, key: string) => sqlOf(ctx).run(INSERT, key, "1", ctx.now(), null);
const keysOf = async (prefix: string) =>
  (await system.db.setting.findMany({ where: { key: { startsWith: prefix } }, orderBy: { key: "asc" } })).map(
    ({ key }) => key,
  );

test("a connection that is lost in a transaction takes it along, and the next one has another", async () => {
  const cut = inTransaction(system, async (_tx, ctx) => {
    await insert(ctx, "lost-a");
    const behind = await sqlOf(ctx).get(BEHIND);
    await outside(`SELECT pg_terminate_backend(?)`, behind?.pid);
    await insert(ctx, "lost-b");
  });
  await expect(cut).rejects.toThrow();
  await inTransaction(system, (_tx, ctx) => insert(ctx, "lost-c"));
  expect(await keysOf("lost-")).toEqual(["lost-c"]);
});

test("every caller of a lost shared commit is told that it failed", async () => {
  const first = inQuickTransaction(system, (_tx, ctx) => insert(ctx, "shared-a"));
  const second = inQuickTransaction(system, async (_tx, ctx) => {
    const behind = await sqlOf(ctx).get(BEHIND);
    await outside(`SELECT pg_terminate_backend(?)`, behind?.pid);
    await insert(ctx, "shared-b");
  });
  const results = await Promise.allSettled([first, second]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await inQuickTransaction(system, (_tx, ctx) => insert(ctx, "shared-c"));
  expect(await keysOf("shared-")).toEqual(["shared-c"]);
});

test("two processes that read first and write later lose nothing, and chain one audit", async () => {
  await inTransaction(system, (tx) =>
    tx.setting.create({ data: { key: "counter", value: "0", updatedAt: new Date(), updatedBy: null } }),
  );
  const increment = (ctx: Ctx) =>
    inTransaction(ctx, async (tx, txCtx) => {
      const { value } = await tx.setting.findUniqueOrThrow({ where: { key: "counter" } });
      await tx.setting.update({ where: { key: "counter" }, data: { value: String(Number(value) + 1) } });
      await recordEvent(tx, txCtx, { action: "test.count", summary: `counted to ${Number(value) + 1}` });
    });
  await Promise.all(Array.from({ length: 60 }, (_, index) => increment(index % 2 === 0 ? system : elsewhere)));
  expect(await system.db.setting.findUniqueOrThrow({ where: { key: "counter" } })).toMatchObject({ value: "60" });
  expect(await verifyFolder(folder, address)).toMatchObject({ firstBroken: null, checked: 60 });
});

test("readers cannot write, and zero bytes become what can be kept", async () => {
  const data = { key: "past", value: "1", updatedAt: new Date(), updatedBy: null };
  await expect(system.database.reader.setting.create({ data })).rejects.toThrow(/read-only/);
  await inTransaction(system, (tx) => tx.setting.create({ data: { ...data, key: "zero", value: "a\0b" } }));
  expect(await system.db.setting.findUniqueOrThrow({ where: { key: "zero" } })).toMatchObject({ value: "a\ufffdb" });
});

test("the channel sends each message to the other processes, and tells all to check again after a lost connection", async () => {
  const heard: Record<"one" | "two", (string | null)[]> = { one: [], two: [] };
  const one = await openChannel(url, (text) => heard.one.push(text));
  const two = await openChannel(url, (text) => heard.two.push(text));
  const many = Array.from({ length: 500 }, (_, index) => `run:${index}-${"x".repeat(30)}`);
  for (const text of many) one.send(text);
  await expect.poll(() => heard.two.length).toBe(500);
  expect(heard).toEqual({ one: [], two: many });
  await outside(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'skillgate channel' AND datname = current_database()`,
  );
  await expect.poll(() => [heard.one.at(-1), heard.two.at(-1)], { timeout: 10_000 }).toEqual([null, null]);
  one.send("work");
  await expect.poll(() => heard.two.at(-1)).toBe("work");
  await one.close();
  await two.close();
});
