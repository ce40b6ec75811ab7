import { createCtx, inQuickTransaction } from "@/lib/db/context";
import type { DatabaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { query, sqlOf } from "@/lib/db/sql";

/**
 * A separate process for the tests: stores twenty rows and reports each, then writes more rows in a group that it never
 * commits, reports that the group is open, and waits to be killed.
 */
const INSERT = query(`INSERT INTO "Setting" ("key", "value", "updatedAt", "updatedBy") VALUES (?, ?, ?, ?)`);
const database = await openDatabase(JSON.parse(process.argv[2] ?? "") as DatabaseAddress);
const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });

const store = (key: string) =>
  inQuickTransaction(ctx, (_tx, txCtx) => sqlOf(txCtx).run(INSERT, key, "1", txCtx.now(), null));
await Promise.all(
  Array.from({ length: 20 }, async (_, index) => {
    await store(`killed-${index}`);
    process.send?.({ stored: `killed-${index}` });
  }),
);
void store("killed-unacknowledged-a").then(() => process.send?.({ stored: "killed-unacknowledged-a" }));
void inQuickTransaction(ctx, async (_tx, txCtx) => {
  await sqlOf(txCtx).run(INSERT, "killed-unacknowledged-b", "1", txCtx.now(), null);
  process.send?.("open");
  await new Promise(() => setInterval(() => {}, 1000));
});
