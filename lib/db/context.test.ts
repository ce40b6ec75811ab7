import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { inTransaction } from "./context";

const { system, database } = await testDatabase();

const setting = (key: string) => ({ key, value: "1", updatedAt: new Date(), updatedBy: null });

test("what fails half-way leaves nothing behind, and the next transaction works", async () => {
  const failing = inTransaction(system, async (tx) => {
    await tx.setting.create({ data: setting("half") });
    throw new Error("stop here");
  });
  await expect(failing).rejects.toThrow("stop here");
  expect(await database.reader.setting.findUnique({ where: { key: "half" } })).toBeNull();
  await inTransaction(system, (tx) => tx.setting.create({ data: setting("whole") }));
  expect(await database.reader.setting.findUnique({ where: { key: "whole" } })).not.toBeNull();
});

test("reads outside a transaction never see its uncommitted work", async () => {
  await inTransaction(system, async (tx, ctx) => {
    await tx.setting.create({ data: setting("unseen") });
    expect(await ctx.db.setting.findUnique({ where: { key: "unseen" } })).not.toBeNull();
    expect(await database.reader.setting.findUnique({ where: { key: "unseen" } })).toBeNull();
  });
});

test("verbs that call each other share one transaction", async () => {
  const both = inTransaction(system, async (_tx, ctx) => {
    await inTransaction(ctx, (tx) => tx.setting.create({ data: setting("inner") }));
    throw new Error("the outer one fails");
  });
  await expect(both).rejects.toThrow();
  expect(await database.reader.setting.findUnique({ where: { key: "inner" } })).toBeNull();
});

test("nothing can be written past a transaction", async () => {
  await expect(database.reader.setting.create({ data: setting("past") })).rejects.toThrow(
    /readonly|read-only|query_only/i,
  );
});

test("fifty transactions at once each see what the one before wrote", async () => {
  await inTransaction(system, (tx) => tx.setting.create({ data: { ...setting("counter"), value: "0" } }));
  const increment = () =>
    inTransaction(system, async (tx) => {
      const { value } = await tx.setting.findUniqueOrThrow({ where: { key: "counter" } });
      await tx.setting.update({ where: { key: "counter" }, data: { value: String(Number(value) + 1) } });
    });
  await Promise.all(Array.from({ length: 50 }, increment));
  expect((await database.reader.setting.findUniqueOrThrow({ where: { key: "counter" } })).value).toBe("50");
});
