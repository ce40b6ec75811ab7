import { afterAll, expect, test } from "vitest";
import { createCtx, inQuickTransaction, inTransaction } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { query, sqlOf } from "@/lib/db/sql";
import { isDatabaseUnavailable } from "@/lib/http/problem";
import { startCuttableProxy } from "@/lib/testing/cuttable-proxy";
import { testDatabase } from "@/lib/testing/test-database";

const { address, system } = await testDatabase();
const direct = new URL("url" in address ? address.url : "");
const INSERT = query(`INSERT INTO "Setting" ("key", "value", "updatedAt", "updatedBy") VALUES (?, ?, ?, ?)`);

test("a database that goes away is said to be away, and once it is back everything goes on, with all that was acknowledged", async () => {
  const proxy = await startCuttableProxy(Number(direct.port));
  const through = new URL(direct);
  through.port = new URL(proxy.url).port;
  const database = await openDatabase({ url: through.href, keyFolder: system.database.keyFolder });
  afterAll(() => database.close());
  const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });
  const acknowledged: string[] = [];
  const store = async (key: string) => {
    await inQuickTransaction(ctx, (_tx, txCtx) => sqlOf(txCtx).run(INSERT, key, "1", ctx.now(), null));
    acknowledged.push(key);
  };
  for (let round = 0; round < 3; round++) {
    await Promise.all([store(`away-${round}-a`), store(`away-${round}-b`)]);
    const lost = Promise.allSettled([
      inTransaction(ctx, async (_tx, txCtx) => {
        await sqlOf(txCtx).run(INSERT, `away-${round}-lost`, "1", ctx.now(), null);
        proxy.cut();
        await sqlOf(txCtx).run(INSERT, `away-${round}-never`, "1", ctx.now(), null);
      }),
      store(`away-${round}-behind`),
      store(`away-${round}-behind-too`),
    ]);
    for (const result of await lost) {
      expect(result.status).toBe("rejected");
      if (result.status === "rejected") expect(isDatabaseUnavailable(result.reason), String(result.reason)).toBe(true);
    }
    const read = await database.reader.setting.count().catch((error: unknown) => error);
    expect(isDatabaseUnavailable(read), String(read)).toBe(true);
    proxy.restore();
    await store(`away-${round}-after`);
  }
  const kept = await system.db.setting.findMany({ where: { key: { startsWith: "away-" } } });
  expect(kept.map(({ key }) => key).sort()).toEqual(acknowledged.sort());
});
