import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { turnsDuring } from "@/lib/testing/turns-during";
import { inTransaction } from "./context";
import { query, sqlOf } from "./sql";

const STATEMENTS = 300;
const ONE = query<{ one: number }>(`SELECT 1 AS "one"`);

const { database, system } = await testDatabase();
let clock = 1e9;
// Each look at the clock takes a millisecond.
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => clock++));
afterEach(() => vi.restoreAllMocks());

async function repeat(statement: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < STATEMENTS; index += 1) await statement(index);
}

const setting = (key: string) => ({ key, value: "1", updatedAt: new Date(0), updatedBy: null });

test("a long row of statements lets the event loop turn: reads of both kinds, and writes in one transaction", async () => {
  expect(await turnsDuring(() => repeat(() => sqlOf(system).get(ONE)))).toBeGreaterThan(10);
  expect(await turnsDuring(() => repeat(() => sqlOf(system).all(ONE)))).toBeGreaterThan(10);
  expect(await turnsDuring(() => repeat(() => database.reader.setting.count()))).toBeGreaterThan(10);
  const write = () =>
    inTransaction(system, (tx) => repeat((index) => tx.setting.create({ data: setting(`row-${index}`) })));
  expect(await turnsDuring(write)).toBeGreaterThan(10);
  expect(await database.reader.setting.count({ where: { key: { startsWith: "row-" } } })).toBe(STATEMENTS);
});

test("rows that wait for their turn go on in order, so none of them starves", async () => {
  const left = { first: STATEMENTS, second: STATEMENTS };
  const run = (name: keyof typeof left) =>
    repeat(async () => {
      await sqlOf(system).get(ONE);
      left[name] -= 1;
    });
  await Promise.race([run("first"), run("second")]);
  expect(Math.max(left.first, left.second)).toBeLessThan(STATEMENTS / 2);
});

test("an open transaction goes on before reads that wait, since other writes wait for it", async () => {
  const reads = Array.from({ length: 20 }, () => repeat(() => sqlOf(system).get(ONE)));
  const order: string[] = [];
  const write = inTransaction(system, (_tx, ctx) => repeat(() => sqlOf(ctx).get(ONE)));
  await Promise.all([
    ...reads.map((read) => read.then(() => order.push("read"))),
    write.then(() => order.push("transaction")),
  ]);
  expect(order[0]).toBe("transaction");
});

test("reads during a transaction that waits for its turn see committed data only", async () => {
  const seen = new Set<number>();
  let isOver = false;
  const writing = inTransaction(system, (tx) =>
    repeat((index) => tx.setting.create({ data: setting(`open-${index}`) })),
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    seen.add(await database.reader.setting.count({ where: { key: { startsWith: "open-" } } }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  seen.delete(STATEMENTS);
  expect([...seen]).toEqual([0]);
});

test("of many short ones that wait, several go on in one turn", async () => {
  const run = async () => {
    for (let statement = 0; statement < 2; statement += 1) await sqlOf(system).get(ONE);
  };
  const turns = await turnsDuring(() => Promise.all(Array.from({ length: 200 }, run)));
  expect(turns).toBeLessThan(100);
});
