import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { offeredSkills } from "@/lib/agent/offers/offered-skills";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { listEvents } from "@/lib/audit/list-events";
import { listAuditFacets } from "@/lib/audit/list-facets";
import { recordEvent } from "@/lib/audit/record-event";
import { ListAuditQuery } from "@/lib/audit/schema";
import { forgetEvents } from "@/lib/audit/seal-events";
import { listCatalog } from "@/lib/catalog/browse/list-catalog";
import { ListCatalogQuery } from "@/lib/catalog/schema";
import { fillEntries, fillSource } from "@/lib/catalog/testing/fill-catalog";
import { inTransaction } from "@/lib/db/context";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { checkIndexes, type IndexName, rebuildIndexes, repairIndexes } from "./check-indexes";

const { database, person, outside, system } = await testDatabase();
const [admin, owner] = [await person("admin", "Ada"), await person("user", "Uma")];
const isSqlite = database.dialect === "sqlite";
const entries = await inTransaction(system, async (tx) => {
  const id = await fillSource(tx, { owner: "northwind", repo: "agent-kit" });
  const long = `${"many words ".repeat(200)}zebra`;
  const odd = { name: "日本語", folder: "skills/odd", description: '"quoted" — naïve* ^ (AND) :' };
  return fillEntries(tx, id, [{ name: "pdf-forms", description: long }, { name: "csv-to-chart" }, odd]);
});
for (let count = 0; count < 40; count += 1) {
  await inTransaction({ ...admin.ctx, now: () => new Date(Date.now() - (40 - count) * 600_000) }, (tx, ctx) =>
    recordEvent(tx, ctx, { action: count % 2 ? "odd.note" : "even.note", summary: `noted number ${count}` }),
  );
}
const skill = await approvedSkill(owner.ctx, admin.ctx, { name: "tidy_disk" });
await indexAllEvents(system);

/** Answers for people and agents, which must be equal before the damage and after the rebuild. */
async function answers() {
  const catalog = async (query: object) =>
    (await listCatalog(admin.ctx, ListCatalogQuery.parse(query))).items.map(({ id }) => id).sort();
  const audit = async (query: object) =>
    (await listEvents(admin.ctx, ListAuditQuery.parse({ limit: 100, ...query }))).items.map(({ seq }) => seq);
  const { actions } = await listAuditFacets(admin.ctx);
  return {
    all: await catalog({}),
    found: [await catalog({ q: "pdf forms" }), await catalog({ q: "northwind" }), await catalog({ q: "zebra" })],
    notes: [await audit({ action: "odd.note" }), await audit({ q: "noted 17" }), await audit({ action: "even", to })],
    actions: actions.filter((action) => action !== "index.rebuild"),
    offered: (await offeredSkills(owner.ctx)).skills.map(({ id }) => id),
  };
}
const to = new Date(Date.now() - 65 * 60_000).toISOString();
const before = await answers();

// A rebuilt revision depends on the second, so each test has a minute of its own.
vi.useFakeTimers({ toFake: ["Date"] });
afterAll(() => vi.useRealTimers());

beforeEach(async () => {
  vi.setSystemTime(Date.now() + 60_000);
  expect(await checkIndexes(system, { every: true })).toEqual([]);
});

test("what fits is left as it is", async () => {
  expect(before.all).toEqual([...entries].sort());
  expect(before.notes.map(({ length }) => length)).toEqual([20, 1, 17]);
  expect(before.offered).toEqual([skill.id]);
  expect(await repairIndexes(system)).toEqual([]);
});

const [pdf, csv] = entries as [string, string];
const docs = isSqlite ? "CatalogSearchDoc" : "CatalogSearch";
type Statement = [text: string, ...values: unknown[]];
const LOST: [what: string, index: IndexName, problem: RegExp, statements: Statement[]][] = [
  [
    "no entry is in the index of the catalog",
    "catalog",
    /^3 of 3 entries of the catalog are missing in its index$/,
    isSqlite
      ? [[`DELETE FROM "CatalogSearchDoc"`], [`INSERT INTO "CatalogSearch" ("CatalogSearch") VALUES ('delete-all')`]]
      : [[`DELETE FROM "CatalogSearch"`]],
  ],
  ["one entry is not", "catalog", /^1 of 3 entries/, [[`DELETE FROM "${docs}" WHERE "entryId" = ?`, csv]]],
  [
    "an entry is in it that the catalog does not have",
    "catalog",
    /holds 1 entries/,
    [[`INSERT INTO "${docs}" ("entryId") VALUES ('gone')`]],
  ],
  [
    "an entry has the words of another",
    "catalog",
    /1 entries .* not found by their words/,
    isSqlite
      ? [
          [`DELETE FROM "CatalogSearch" WHERE rowid = (SELECT "doc" FROM "CatalogSearchDoc" WHERE "entryId" = ?)`, pdf],
          [
            `INSERT INTO "CatalogSearch" (rowid, "name", "tags", "description", "place")
             SELECT "doc", 'pdf forms', 'other', 'other', 'other' FROM "CatalogSearchDoc" WHERE "entryId" = ?`,
            pdf,
          ],
        ]
      : [[`UPDATE "CatalogSearch" SET "words" = '''other'':1A' WHERE "entryId" = ?`, pdf]],
  ],
  ["the catalog has no revision", "catalog", /no revision/, [[`DELETE FROM "CatalogRevision"`]]],
  ["the offers have no revision", "offers", /revision of agent offers is missing/, [[`DELETE FROM "OfferRevision"`]]],
  [
    "the index of the audit log is empty and says it is not",
    "audit",
    /does not count/,
    [[`DELETE FROM "AuditPosting"`], [`DELETE FROM "AuditHour"`], [`DELETE FROM "AuditTerm"`]],
  ],
  ["it does not say what it holds", "audit", /does not say/, [[`DELETE FROM "AuditIndexed"`]]],
  [
    "it holds events that there are not",
    "audit",
    /audit log ends at/,
    [[`UPDATE "AuditIndexed" SET "seq" = "seq" + 7`]],
  ],
  ["it counts fewer", "audit", /counts \d+ events, but there are \d+/, [[`UPDATE "AuditHour" SET "events" = 1`]]],
  [
    "it has lost where an action occurs",
    "audit",
    /event \d+ is missing/,
    [[`DELETE FROM "AuditPosting" WHERE "termId" IN (SELECT "id" FROM "AuditTerm" WHERE "value" LIKE '%.note')`]],
  ],
  [
    "it has lost the words",
    "audit",
    /event \d+ is missing/,
    [[isSqlite ? `INSERT INTO "AuditSearch" ("AuditSearch") VALUES ('delete-all')` : `DELETE FROM "AuditSearch"`]],
  ],
];

test.each(LOST)("%s: a start notices, rebuilds, and answers as before", async (_, index, problem, statements) => {
  for (const statement of statements) await outside(...statement);
  const misfits = await repairIndexes(system);
  expect(misfits).toEqual([{ index, problem: expect.stringMatching(problem) }]);
  expect(await answers()).toEqual(before);
  const event = await database.reader.auditEvent.findFirst({ orderBy: { seq: "desc" } });
  expect(event).toMatchObject({ action: "index.rebuild", actorKind: "system", targetId: index });
  expect(await repairIndexes(system)).toEqual([]);
});

/** Returns a condition for entries of the audit index that a start does not check: it checks 16 events only. */
async function loseSome() {
  const [bounds] = (await outside(
    `SELECT MIN(e."seq") AS "oldest", MAX(i."seq") AS "last" FROM "AuditEvent" e, "AuditIndexed" i`,
  )) as [{ oldest: number; last: number }];
  const oldest = Number(bounds.oldest);
  const step = (Number(bounds.last) - oldest) / 15;
  const sampled = Array.from({ length: 16 }, (_, index) => oldest + Math.round(index * step));
  return `"termId" IN (SELECT "id" FROM "AuditTerm" WHERE "kind" = 'action' AND "value" LIKE '%.note')
    AND "seq" NOT IN (${sampled.join(", ")})`;
}

const DAMAGED: [what: string, problem: RegExp, statement: () => Promise<string>][] = [
  [
    "some events are not listed by their action",
    /event \d+ is missing .* action (odd|even)\.note$/,
    async () => `DELETE FROM "AuditPosting" WHERE ${await loseSome()}`,
  ],
  [
    "events are listed that there are not",
    /has \d+ entries for its terms, but its events have \d+$/,
    async () => `INSERT INTO "AuditPosting" ("termId", "seq") SELECT "id" + 100000, 1 FROM "AuditTerm"`,
  ],
  [
    "an hour of an action counts too many",
    /does not count the \d+ events with action odd\.note in the hour 20/,
    async () =>
      `UPDATE "AuditHour" SET "events" = "events" + 1000 WHERE "termId" IN (SELECT "id" FROM "AuditTerm" WHERE "kind" = 'action' AND "value" = 'odd.note')`,
  ],
  [
    "an hour is counted that there is not",
    /counts \d+ hours of its terms, but there are \d+$/,
    async () =>
      `INSERT INTO "AuditHour" ("termId", "hour", "events", "bad", "minSeq", "maxSeq") SELECT MAX("id"), '2020-01-01T00', 1, 0, 1, 1 FROM "AuditTerm"`,
  ],
  [
    "an event has lost its words",
    /the words of event 3 are missing/,
    async () => (isSqlite ? `DELETE FROM "AuditSearch" WHERE rowid = 3` : `DELETE FROM "AuditSearch" WHERE "seq" = 3`),
  ],
];

test.each(DAMAGED)(
  "%s: a start may not notice, a full comparison does, and a rebuild mends it",
  async (_, problem, of) => {
    await outside(await of());
    expect(await checkIndexes(system)).toEqual([]);
    const misfits = await checkIndexes(system, { every: true });
    expect(misfits).toEqual([{ index: "audit", problem: expect.stringMatching(problem) }]);
    await rebuildIndexes(system, misfits, { wait: true });
    expect(await checkIndexes(system, { every: true })).toEqual([]);
    expect(await answers()).toEqual(before);
  },
);

test("everything is rebuilt when an operator asks for it, and entries keep their numbers", async () => {
  const numbers = () => outside(`SELECT "doc", "entryId" FROM "${docs}" ORDER BY "doc"`);
  const [known, { revision }] = [await numbers(), await offeredSkills(owner.ctx)];
  const all = (["catalog", "audit", "offers"] as const).map((index) => ({ index, problem: null }));
  await rebuildIndexes(system, all, { wait: true });
  expect(await numbers()).toEqual(known);
  expect((await offeredSkills(owner.ctx)).revision).toBeGreaterThan(revision);
  expect(await answers()).toEqual(before);
});

test("a source that moves to another repository is found by its new name alone", async () => {
  await outside(`UPDATE "CatalogSource" SET "owner" = 'contoso', "repo" = 'toolbox'`);
  expect(await checkIndexes(system, { every: true })).toEqual([]);
  const page = await listCatalog(admin.ctx, ListCatalogQuery.parse({ q: "contoso toolbox" }));
  expect(page.items.map(({ id }) => id).sort()).toEqual(before.all);
  expect((await listCatalog(admin.ctx, ListCatalogQuery.parse({ q: "northwind" }))).items).toEqual([]);
});

test("events that wait to be indexed, or that were sealed and taken out, are no difference", async () => {
  await inTransaction(admin.ctx, (tx, ctx) => recordEvent(tx, ctx, { action: "late.note", summary: "noted late" }));
  expect(await checkIndexes(system, { every: true })).toEqual([]);
  await indexAllEvents(system);
  await inTransaction(system, async (tx, ctx) => {
    await tx.auditEvent.deleteMany({ where: { seq: { lte: 21 } } });
    await forgetEvents(ctx, 21);
  });
  expect(await checkIndexes(system, { every: true })).toEqual([]);
});
