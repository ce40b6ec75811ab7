import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { inQuickTransaction, inTransaction } from "./context";
import { query, sqlOf } from "./sql";

const { system, address } = await testDatabase();
const file = "file" in address ? address.file : "";
const COUNT = query<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "Setting" WHERE "key" LIKE ?`);
const setting = (key: string) => ({ key, value: "1", updatedAt: new Date(), updatedBy: null });

test("another process that holds the lock is waited for, and then all who waited are told", async () => {
  const other = new Sqlite(file, { timeout: 0 });
  await inQuickTransaction(system, async (_tx, ctx) => {
    await sqlOf(ctx).get(COUNT, "%");
    expect(() => other.exec(`UPDATE "Setting" SET "value" = '2'`)).toThrow(/locked/);
  });
  other.close();
});

test("a transaction that reads first holds off another process’s write instead of failing later", async () => {
  const other = new Sqlite(file, { timeout: 0 });
  await inTransaction(system, async (tx) => {
    await tx.setting.count();
    expect(() => other.exec(`UPDATE "Setting" SET "value" = '2'`)).toThrow(/locked/);
    await tx.setting.create({ data: setting("mine") });
  });
  other.exec(`UPDATE "Setting" SET "value" = '3'`);
  other.close();
});
