import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { ListCatalogQuery } from "../schema";
import { type EntrySeed, fillEntries, fillSource } from "../testing/fill-catalog";
import { listCatalog } from "./list-catalog";

const { person, database } = await testDatabase();
const { writer } = database;
const { ctx } = await person();

beforeEach(async () => {
  await writer.catalogSource.deleteMany();
});

const list = (query: Record<string, unknown> = {}) => listCatalog(ctx, ListCatalogQuery.parse(query));
const names = async (query: Record<string, unknown>) => (await list(query)).items.map((item) => item.name);
const offer = async (seeds: EntrySeed[], source: Parameters<typeof fillSource>[1] = {}) => {
  const sourceId = await fillSource(writer, source);
  return { sourceId, ids: await fillEntries(writer, sourceId, seeds) };
};

const ENTRIES: EntrySeed[] = [
  { name: "pdf", description: "Reads and fills forms.", tags: ["documents"], license: "MIT" },
  { name: "pdf-merge", description: "Joins several files.", tags: ["documents"] },
  { name: "invoices", description: "Writes an invoice and saves it as pdf.", tools: ["Bash", "Read"] },
  { name: "kubernetes", description: "Looks after a cluster.", tags: ["ops"], hasScripts: true, tools: ["Bash"] },
  { name: "Übersetzen", description: "Übersetzt Texte.", category: "writing" },
];

test.each([
  ["a whole word", "cluster", ["kubernetes"]],
  ["the beginning of a word", "kube", ["kubernetes"]],
  ["several words in any order", "files pdf", ["pdf-merge"]],
  ["a letter too few", "kubernets", ["kubernetes"]],
  ["two letters swapped", "kubrenetes", ["kubernetes"]],
  ["a wrong letter in a word that is not finished", "invoixe", ["invoices"]],
  ["the middle of a word", "bernetes", ["kubernetes"]],
  ["no accents", "ubersetzen", ["Übersetzen"]],
  ["a name without its hyphen", "pdfmerge", ["pdf-merge"]],
  ["a tag", "ops", ["kubernetes"]],
  ["a word that nothing is like", "zzzzzz", []],
  ["one word of two that nothing is like", "pdf zzzzzz", []],
  ["the language of the index", 'NOT "pdf* OR (', ["pdf", "pdf-merge", "invoices"].slice(0, 0)],
])("finds by %s", async (_what, q, expected) => {
  await offer(ENTRIES);
  expect(await names({ q })).toEqual(expected);
});

test("the exact name comes first, then names, then descriptions", async () => {
  await offer(ENTRIES);
  expect(await names({ q: "pdf" })).toEqual(["pdf", "pdf-merge", "invoices"]);
});

test("what a sync changes is found under its new words only", async () => {
  const { ids } = await offer(ENTRIES);
  await writer.catalogEntry.update({
    where: { id: ids[3] ?? "" },
    data: { description: "Steers a fleet.", tags: "[]" },
  });
  expect(await names({ q: "cluster" })).toEqual([]);
  expect(await names({ q: "fleet" })).toEqual(["kubernetes"]);
  await writer.catalogEntry.delete({ where: { id: ids[3] ?? "" } });
  expect(await names({ q: "fleet" })).toEqual([]);
});

test("facets count what the other filters leave", async () => {
  const { sourceId } = await offer(ENTRIES);
  const { facets, total } = await list({ tag: "documents" });
  expect(total).toBe(2);
  expect(facets.tag).toEqual([
    { value: "documents", label: "documents", count: 2 },
    { value: "ops", label: "ops", count: 1 },
  ]);
  expect(facets.license).toEqual([{ value: "MIT", label: "MIT", count: 1 }]);
  expect(facets.source).toEqual([{ value: sourceId, label: "Acme skills", count: 2 }]);
  expect(facets.has).toEqual([{ value: "instructions", label: "Instructions only", count: 2 }]);
  expect((await list({ license: "MIT License" })).items.map(({ name }) => name)).toEqual(["pdf"]);
  expect((await list({ tool: "Bash", has: "scripts" })).facets.tool).toEqual([
    { value: "Bash", label: "Bash", count: 1 },
  ]);
});

test("a source that is off hides its entries; one that failed goes on showing them and says why", async () => {
  await offer([{ name: "hidden" }], { label: "Off", enabled: false });
  await offer([{ name: "shown" }], { label: "Broken", error: "GitHub answered 500." });
  const page = await list();
  expect(page.items.map(({ name }) => name)).toEqual(["shown"]);
  expect(page.sources).toMatchObject([{ label: "Broken", error: "GitHub answered 500." }]);
});

test("identical copies are one entry with several places", async () => {
  const one = await offer([{ name: "twin", content: "same" }], { label: "One" });
  const two = await offer([{ name: "twin", content: "same" }], { label: "Two" });
  const page = await list();
  expect(page).toMatchObject({ total: 1, items: [{ id: one.ids[0], copies: 2 }] });
  expect(page.facets.source.map(({ count }) => count)).toEqual([1, 1]);
  expect((await list({ source: two.sourceId })).items).toMatchObject([{ id: two.ids[0] }]);
});

test.each([
  [["skills/twin", ".claude/skills/twin"], "skills/twin"],
  [[".claude/skills/twin", "skills/twin"], "skills/twin"],
  [["copies/twin", "skills/twin"], "skills/twin"],
  [[".agents/skills/twin", "tools/twin"], "tools/twin"],
  [["b/twin", "a/twin"], "b/twin"],
])("of the copies %j the one that is shown is %s", async (folders, shown) => {
  await offer(folders.map((folder) => ({ name: "twin", folder, content: "same" })));
  expect((await list()).items.map(({ folder }) => folder)).toEqual([shown]);
});

test("what is gone upstream is not offered", async () => {
  await offer([{ name: "gone", state: "removed" }, { name: "there" }]);
  expect(await names({})).toEqual(["there"]);
});

test.each(["name", "updated", "added", "size"] as const)("sorts by %s", async (sort) => {
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  await offer([
    { name: "a", changedAt: day(1), firstSeenAt: day(3), bytes: 20 },
    { name: "b", changedAt: day(3), firstSeenAt: day(2), bytes: 10 },
    { name: "c", changedAt: day(2), firstSeenAt: day(1), bytes: 30 },
  ]);
  const expected = { name: "abc", updated: "bca", added: "abc", size: "cab" }[sort];
  expect((await names({ sort })).join("")).toBe(expected);
});

const seedArb = fc.record({
  name: fc.constantFrom("pdf", "pdf-merge", "tables", "log-reader", "git-flow"),
  description: fc.constantFrom("Reads pdf files.", "Works on logs.", "Merges git branches and pdf pages.", ""),
  bytes: fc.integer({ min: 1, max: 3 }),
});

test("paging shows every initial entry exactly once, also when entries are added between pages", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(seedArb, { minLength: 1, maxLength: 14 }),
      fc.array(fc.array(seedArb, { maxLength: 3 }), { maxLength: 8 }),
      fc.constantFrom({}, { sort: "size" }, { sort: "updated" }, { q: "pdf" }, { q: "merge", sort: "relevance" }),
      fc.integer({ min: 1, max: 4 }),
      async (seeds, additions, query, limit) => {
        await writer.catalogSource.deleteMany();
        const place = (seed: EntrySeed, index: string) => ({ ...seed, folder: `${index}/${seed.name}` });
        const { sourceId } = await offer(seeds.map((seed, index) => place(seed, `a${index}`)));
        const expected = (await list({ ...query, limit: 100 })).items.map(({ id }) => id);
        const shown: string[] = [];
        let cursor: string | null = null;
        let round = 0;
        do {
          const page = await list({ ...query, limit, ...(cursor === null ? {} : { cursor }) });
          shown.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
          const added = additions[round] ?? [];
          await fillEntries(
            writer,
            sourceId,
            added.map((seed, index) => place(seed, `b${round}-${index}`)),
          );
          round += 1;
        } while (cursor !== null);
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.filter((id) => expected.includes(id))).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});
