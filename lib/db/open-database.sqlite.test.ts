import fs from "node:fs";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { inQuickTransaction, inTransaction } from "./context";
import { openDatabase } from "./open-database";
import { query, sqlOf } from "./sql";

const given = await testDatabase();
const file = "file" in given.address ? given.address.file : "";
const database = await openDatabase({ ...given.address, file, synchronous: "full" });
const system = { ...given.system, database, db: database.reader };
afterAll(() => database.close());

afterEach(() => vi.restoreAllMocks());

const INSERT = query(`INSERT INTO "Setting" ("key", "value", "updatedAt", "updatedBy") VALUES (?, ?, ?, ?)`);
const COUNT = query<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "Setting" WHERE "key" LIKE ?`);
const countOf = async (prefix: string) => (await sqlOf(system).get(COUNT, `${prefix}%`))?.n;
const setting = (key: string) => ({ key, value: "1", updatedAt: new Date(), updatedBy: null });
const WAYS = {
  "a quick write": (key: string) =>
    inQuickTransaction(system, (_tx, ctx) => sqlOf(ctx).run(INSERT, key, "1", ctx.now(), null)),
  "a write of several statements": (key: string) =>
    inTransaction(system, (tx) => tx.setting.create({ data: setting(key) })),
};

/** Makes writes to the disk wait until the test finishes them. */
function holdDisk() {
  const held: { finish(error?: Error): void }[] = [];
  const datasync = vi.spyOn(fs, "fdatasync").mockImplementation((_fd, done) => {
    held.push({ finish: (error) => done(error ?? null) });
  });
  return { held, datasync };
}

test.each(Object.entries(WAYS))("%s is answered once the log is on the disk, and not before", async (name, write) => {
  const { held } = holdDisk();
  let isAnswered = false;
  const written = write(name).then(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(held).toHaveLength(1));
  await vi.waitFor(async () => expect(await countOf(name)).toBe(1));
  expect(isAnswered).toBe(false);
  held[0]?.finish();
  await written;
});

test.each(Object.entries(WAYS))(
  "%s that the disk refuses fails, and the next one is tried anew",
  async (name, write) => {
    const { held, datasync } = holdDisk();
    const refused = write(`refused ${name}`);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    held[0]?.finish(new Error("the disk is gone"));
    await expect(refused).rejects.toThrow("the disk is gone");
    datasync.mockRestore();
    await write(`kept ${name}`);
    expect(await countOf(`kept ${name}`)).toBe(1);
  },
);
