import { expect, test, vi } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { entryRow, fillSource } from "../testing/fill-catalog";
import { currentSnapshot } from "./snapshot";

const { database, system } = await testDatabase();
const sourceId = await fillSource(database.writer);
const add = (name: string) => database.writer.catalogEntry.create({ data: entryRow(sourceId, { name }) });

test("requests at the same time share one load, and each sees what was stored before it", async () => {
  await add("first");
  const read = vi.spyOn(database.readSql, "get");
  const loads = () => read.mock.calls.filter(([query]) => query.text.sqlite.includes("CatalogSearchDoc")).length;
  const together = await Promise.all(Array.from({ length: 10 }, () => currentSnapshot(system)));
  expect(together.map(({ entries }) => entries.length)).toEqual(together.map(() => 1));
  expect(loads()).toBe(1);

  const early = currentSnapshot(system);
  await add("second");
  const late = await Promise.all(Array.from({ length: 10 }, () => currentSnapshot(system)));
  expect((await early).entries.length).toBeGreaterThan(0);
  expect(late.map(({ entries }) => entries.length)).toEqual(late.map(() => 2));
  expect(loads()).toBeLessThanOrEqual(3);
  read.mockRestore();
});
