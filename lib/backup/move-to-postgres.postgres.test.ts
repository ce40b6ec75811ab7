import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { listCatalog } from "@/lib/catalog/browse/list-catalog";
import { ListCatalogQuery } from "@/lib/catalog/schema";
import { fillEntries, fillSource } from "@/lib/catalog/testing/fill-catalog";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx, inTransaction } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { freshDatabase } from "@/lib/testing/fresh-database";
import { outsideOf } from "@/lib/testing/outside";
import { seedWorld } from "@/prisma/seed/seed-world";
import { buildIndexes } from "./build-indexes";
import { repairIndexes } from "./check-indexes";
import { moveToPostgres } from "./move-to-postgres";

const folder = mkdtempSync(join(tmpdir(), "skillgate-move-"));
const file = join(folder, "skillgate.db");
await applyMigrations({ file }, join(import.meta.dirname, "..", "..", "prisma", "migrations"));
const source = await openDatabase({ file, synchronous: "off" });
await seedWorld(source, { now: new Date(), password: "quiet-harbour-lantern" });
const system = createCtx({ actor: { kind: "system", name: "test" }, database: source });
const entries = await inTransaction(system, async (tx) => {
  const names = ["pdf-forms", "csv-to-chart", "café-menu"];
  const id = await fillSource(tx, { label: "Moved skills", owner: "northwind", repo: "agent-kit" });
  return fillEntries(
    tx,
    id,
    names.map((name) => ({ name, tags: ["office"], description: `Works on ${name}.` })),
  );
});
await source.close();
const target = await freshDatabase(folder);
const url = "url" in target.address ? target.address.url : "";
afterAll(async () => {
  await target.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("nothing is kept of a move in which one row does not fit", async () => {
  const outside = outsideOf({ file });
  const [skill] = await outside(`SELECT "id", "createdAt" FROM "Skill" LIMIT 1`);
  await outside(`UPDATE "Skill" SET "createdAt" = 'some day' WHERE "id" = ?`, skill?.id);
  await expect(moveToPostgres(file, url)).rejects.toThrow("Skill.createdAt holds");
  await outside(
    `UPDATE "Skill" SET "createdAt" = ?, "license" = ? WHERE "id" = ?`,
    skill?.createdAt,
    "a\0b",
    skill?.id,
  );
  expect(await outsideOf(target.address)(`SELECT COUNT(*) AS "n" FROM "User"`)).toEqual([{ n: "0" }]);
});

test("every row arrives as it was, the audit log holds there, and a second move is refused", async () => {
  const moved = await moveToPostgres(file, url);
  const counts = Object.fromEntries(moved.map(({ table, count }) => [table, count]));
  expect(counts).toMatchObject({ Skill: expect.any(Number), ConnectedSignIn: 0 });
  expect(counts.AuditEvent).toBeGreaterThan(100);
  const licences = await outsideOf(target.address)(`SELECT "license" FROM "Skill" WHERE "license" LIKE 'a%b'`);
  expect(licences).toEqual([{ license: "a\ufffdb" }]);
  expect(await verifyFolder(folder, { url })).toMatchObject({ firstBroken: null, checked: counts.AuditEvent });
  await expect(moveToPostgres(file, url)).rejects.toThrow("is not empty");
});

const build = () => buildIndexes({ file, keyFolder: folder }, { url, keyFolder: folder }, new Date());

test("the indexes are built, and the new database answers what the file does", async () => {
  expect(await build()).toEqual([]);
});

test("what the new database answers differently is named", async () => {
  const outside = outsideOf(target.address);
  const [lost] = await outside(`DELETE FROM "CatalogSearch" WHERE "entryId" = ? RETURNING *`, entries[0]);
  await outside(`DELETE FROM "AuditPosting" WHERE "termId" IN (SELECT "id" FROM "AuditTerm" WHERE "kind" = 'noun')`);
  const [skill] = await outside(`UPDATE "Skill" SET "enabled" = false WHERE "enabled" RETURNING "id"`);
  expect(await build()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^In the new database, 1 of \d+ entries of the catalog are missing in its index\.$/),
      expect.stringMatching(/^In the new database, event \d+ is missing in the audit log.s index under .+\.$/),
      "The new database answers differently: list the catalog.",
      "The new database answers differently: search the catalog for “pdf-forms”.",
      expect.stringMatching(/^The new database answers differently: list what agents of .+ are offered\.$/),
    ]),
  );
  expect([lost, skill]).toEqual([expect.anything(), expect.anything()]);
  const database = await openDatabase({ url, keyFolder: folder });
  await repairIndexes(createCtx({ actor: { kind: "system", name: "test" }, database }));
  await database.close();
});

test("the catalog lists and finds what it did before", async () => {
  const database = await openDatabase({ url, keyFolder: folder });
  const admin = await database.reader.user.findFirstOrThrow({ where: { role: "admin" } });
  const { id: userId, name, email } = admin;
  const ctx = createCtx({ actor: { kind: "user", userId, name, email, role: "admin", sessionId: "test" }, database });
  const idsOf = async (query: object) =>
    (await listCatalog(ctx, ListCatalogQuery.parse(query))).items.map(({ id }) => id);
  expect(await idsOf({ limit: 100 })).toEqual(expect.arrayContaining(entries));
  expect(await idsOf({ q: "pdf forms" })).toEqual(entries.slice(0, 1));
  expect(await idsOf({ q: "cafe menu" })).toEqual(entries.slice(2));
  expect((await idsOf({ q: "northwind" })).sort()).toEqual([...entries].sort());
  await database.close();
});
