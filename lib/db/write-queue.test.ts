import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { inQuickTransaction, inTransaction } from "./context";
import { query, sqlOf } from "./sql";

const { system, database, address } = await testDatabase();

const INSERT = query(`INSERT INTO "Setting" ("key", "value", "updatedAt", "updatedBy") VALUES (?, ?, ?, ?)`);
const COUNT = query<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "Setting" WHERE "key" LIKE ?`);

const insert = (key: string) =>
  inQuickTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).run(INSERT, key, "1", ctx.now(), null);
    return key;
  });
const countOf = async (prefix: string) => (await sqlOf(system).get(COUNT, `${prefix}%`))?.n;

test("many that wait at once share a commit, and each is answered after it", async () => {
  const commits: unknown[] = [];
  const watched = database.writes;
  const seen = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const key = await insert(`many-${index}`);
      commits.push(watched.isGroupOpen());
      return [key, await countOf("many-")];
    }),
  );
  expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => [`many-${index}`, 40]));
  expect(new Set(commits)).toEqual(new Set([false]));
});

test("a failing write is undone alone, for an error of the caller and of the database", async () => {
  const failing = inQuickTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).run(INSERT, "one-undone", "1", ctx.now(), null);
    throw new Error("not this one");
  });
  const results = await Promise.allSettled([
    insert("one-a"),
    failing,
    insert("one-b"),
    insert("one-a"),
    insert("one-c"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(results[1]).toMatchObject({ reason: { message: "not this one" } });
  expect(results[3]).toMatchObject({
    reason: { code: database.dialect === "sqlite" ? "SQLITE_CONSTRAINT_PRIMARYKEY" : "23505" },
  });
  expect(await countOf("one-")).toBe(3);
});

test("the first of many that fails is undone alone as well, and those behind it are stored", async () => {
  const failing = inQuickTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).run(INSERT, "first-undone", "1", ctx.now(), null);
    await sqlOf(ctx).run(INSERT, "first-undone", "1", ctx.now(), null);
  });
  const results = await Promise.allSettled([failing, insert("first-a"), failing, insert("first-b")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(await countOf("first-")).toBe(2);
});

test("plain reads beside a shared transaction see nothing of it, and none of them can write", async () => {
  await inQuickTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).run(INSERT, "beside-a", "1", ctx.now(), null);
    expect((await sqlOf(ctx).get(COUNT, "beside-%"))?.n).toBe(1);
    expect((await database.readSql.get(COUNT, "beside-%"))?.n).toBe(0);
  });
  expect((await database.readSql.get(COUNT, "beside-%"))?.n).toBe(1);
  const write = query<{ key: string }>(`DELETE FROM "Setting" WHERE "key" LIKE ? RETURNING "key"`);
  await expect(database.readSql.get(write, "beside-%")).rejects.toThrow(/readonly|read-only/);
  expect(await countOf("beside-")).toBe(1);
});

test("when the transaction itself is lost, every caller in it gets the error and nothing is stored", async () => {
  const before = insert("lost-a");
  const lost = inQuickTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).run(query("ROLLBACK"));
    throw new Error("the disk is gone");
  });
  const results = await Promise.allSettled([before, lost, insert("lost-b")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(results[0]).toMatchObject({ reason: { message: "the disk is gone" } });
  expect(await countOf("lost-")).toBe(1);
});

test("quick and ordinary ones keep their order, and each sees what came before", async () => {
  const order: string[] = [];
  const quick = (key: string) => insert(key).then(() => order.push(key));
  const ordinary = inTransaction(system, async (_tx, ctx) => {
    order.push(`ordinary sees ${(await sqlOf(ctx).get(COUNT, "order-%"))?.n}`);
  });
  await Promise.all([quick("order-a"), ordinary]);
  expect(order.toSorted()).toEqual(["order-a", "ordinary sees 0"].toSorted());
  const after: unknown[] = [];
  await Promise.all([
    quick("order-b"),
    inTransaction(system, async (tx) =>
      after.push(await tx.setting.count({ where: { key: { startsWith: "order-" } } })),
    ),
    quick("order-c"),
  ]);
  expect(after).toEqual([2]);
});

test("Prisma’s calls take part, those too that are several statements, and none outlives it", async () => {
  const nested = { id: "p", email: "p@example.test", name: "P", role: "user", state: "active" };
  const at = new Date();
  const times = { createdAt: at, updatedAt: at };
  const create = (id: string, token: string) =>
    inQuickTransaction(system, (tx) =>
      tx.user.create({
        data: {
          ...nested,
          ...times,
          id,
          email: `${id}@example.test`,
          tokens: { create: { id: token, createdBy: id, name: "t", secretHash: token, scopes: "[]", createdAt: at } },
        },
      }),
    );
  const results = await Promise.allSettled([create("pa", "t1"), create("pb", "t1"), create("pc", "t2")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await database.reader.user.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id)).toEqual(["pa", "pc"]);
  let kept: Parameters<Parameters<typeof inQuickTransaction>[1]>[0] | undefined;
  await inQuickTransaction(system, async (tx) => {
    kept = tx;
  });
  expect(() => kept?.user).toThrow("after the end of its transaction");
});

test("plain SQL and Prisma read what the other wrote, and the writing connection is closed to stray statements", async () => {
  const at = new Date("2026-03-04T05:06:07.089Z");
  const sql = query<{ lastSeenAt: Date | null; manager: boolean; slots: number }>(
    `SELECT "lastSeenAt", "manager", "slots" FROM "Worker" WHERE "id" = ?`,
    { lastSeenAt: "date", manager: "flag" },
  );
  const worker = {
    name: "w",
    secretHash: "w",
    manager: true,
    slots: 3,
    inventory: "[]",
    createdAt: at,
    lastSeenAt: at,
  };
  await inTransaction(system, (tx) => tx.worker.create({ data: { id: "w", ...worker } }));
  expect(await sqlOf(system).get(sql, "w")).toEqual({ lastSeenAt: at, manager: true, slots: 3 });
  const later = new Date("2026-03-04T05:06:08.000Z");
  const update = query(`UPDATE "Worker" SET "lastSeenAt" = ?, "manager" = ? WHERE "id" = ?`);
  expect(await inQuickTransaction(system, (_tx, ctx) => sqlOf(ctx).run(update, later, false, "w"))).toBe(1);
  const row = await database.reader.worker.findFirstOrThrow({ where: { lastSeenAt: { gte: later, lte: later } } });
  expect(row).toMatchObject({ id: "w", manager: false, lastSeenAt: later });
  await expect(database.writeSql.run(update, later, true, "w")).rejects.toThrow("outside a transaction");
  await expect(database.readSql.run(update, later, true, "w")).rejects.toThrow(/readonly|read-only/);
});

test("what was acknowledged before a process is killed is there, and nothing of what was under way", async () => {
  const child = fork(join(import.meta.dirname, "testing", "write-until-killed.ts"), [JSON.stringify(address)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const acknowledged = new Set<string>();
  child.on("message", (message: { stored: string } | "open") => {
    if (message === "open") child.kill("SIGKILL");
    else acknowledged.add(message.stored);
  });
  await once(child, "exit");
  const keys = await database.reader.setting.findMany({ where: { key: { startsWith: "killed-" } } });
  expect(acknowledged.size).toBe(20);
  expect(keys.map(({ key }) => key).toSorted()).toEqual([...acknowledged].toSorted());
});
