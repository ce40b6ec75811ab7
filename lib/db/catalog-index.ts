import { query, type Sql } from "./sql";

/**
 * Full-text index of the catalog, by FTS5 or tsvector. The migrations `catalog_search` and `search_and_revisions`
 * create the tables and keep them in step with `CatalogEntry`. Results are one JSON text, since twenty thousand rows
 * would cost more than the search.
 */

/** One search word: an entry matches one of the alternatives, each a whole word or a prefix. */
export type SoughtWord = { alternatives: { text: string; isPrefix: boolean }[] };
type IndexMatches = { docs: number[]; ranks: number[] };

/** Columns to filter, count and sort by. `tags` and `toolNames` are JSON arrays. */
export type IndexedRow = {
  doc: number;
  id: string;
  sourceId: string;
  folder: string;
  slug: string;
  license: string | null;
  tags: string;
  toolNames: string;
  category: string;
  kind: string;
  classGuess: string;
  hasScripts: boolean;
  bytes: number;
  treeSha: string;
  contentKey: string;
  state: string;
  changedAt: string | number;
  firstSeenAt: string | number;
};

/** Columns that lists show. `allowedTools` and `tags` are JSON arrays. */
export type ListedRow = {
  id: string;
  sourceId: string;
  folder: string;
  name: string;
  slug: string;
  description: string;
  whenToUse: string | null;
  allowedTools: string | null;
  license: string | null;
  tags: string;
  category: string;
  kind: string;
  classGuess: string;
  hasScripts: boolean;
  filesCount: number;
  bytes: number;
  commit: string;
  treeSha: string;
  firstSeenAt: string | number;
  changedAt: string | number;
  state: string;
  blockedCode: string | null;
  blockedReason: string | null;
};

/** Entries and words in a statement, which on SQLite must not stop the process for long. */
const CHUNK = 500;
const WORDS_AT_ONCE = 5_000;

const LISTED = columns(
  `"id" "sourceId" "folder" "name" "slug" "description" "whenToUse" "allowedTools" "license" "tags" "category" "kind"
   "classGuess" "hasScripts" "filesCount" "bytes" "commit" "treeSha" "firstSeenAt" "changedAt" "state" "blockedCode"
   "blockedReason"`,
);
const INDEXED = columns(
  `"doc" "id" "sourceId" "folder" "slug" "license" "tags" "toolNames" "category" "kind" "classGuess" "hasScripts" "bytes"
   "treeSha" "contentKey" "state" "changedAt" "firstSeenAt"`,
);

const REVISION = query<{ value: number }>(`SELECT "value" FROM "CatalogRevision"`);
const MATCHES = query<{ docs: string; ranks: string }>({
  sqlite: `WITH "found" AS MATERIALIZED (
      SELECT rowid AS "doc", bm25("CatalogSearch", 10, 4, 2, 1) AS "rank"
      FROM "CatalogSearch" WHERE "CatalogSearch" MATCH ?
    )
    SELECT json_group_array("doc") AS "docs", json_group_array("rank") AS "ranks" FROM "found"`,
  postgresql: `WITH "found" AS MATERIALIZED (
      SELECT "doc", -10 * ts_rank('{0.1, 0.2, 0.4, 1}', "words", q, 1) AS "rank"
      FROM "CatalogSearch", CAST(? AS tsquery) q WHERE "words" @@ q
    )
    SELECT coalesce(json_agg("doc"), '[]')::text AS "docs", coalesce(json_agg("rank"), '[]')::text AS "ranks" FROM "found"`,
});
const WORDS = query<{ words: string; counts: string }>({
  sqlite: `SELECT json_group_array("term") AS "words", json_group_array("doc") AS "counts" FROM (
      SELECT "term", "doc" FROM "CatalogWord" WHERE "term" > ? ORDER BY "term" LIMIT ${WORDS_AT_ONCE}
    )`,
  postgresql: `SELECT coalesce(json_agg("word" ORDER BY "word" COLLATE "C"), '[]')::text AS "words",
      coalesce(json_agg("ndoc" ORDER BY "word" COLLATE "C"), '[]')::text AS "counts"
    FROM ts_stat('SELECT "words" FROM "CatalogSearch"') WHERE "word" COLLATE "C" > ?`,
});
const LIST = query<{ rows: string }>({
  sqlite: `SELECT json_group_array(json_object(${LISTED.pairs})) AS "rows"
    FROM "CatalogEntry" WHERE "id" IN (SELECT "value" FROM json_each(?))`,
  postgresql: `SELECT coalesce(json_agg(t), '[]')::text AS "rows" FROM (
      SELECT ${LISTED.selected} FROM "CatalogEntry" WHERE "id" IN (SELECT json_array_elements_text(CAST(? AS json)))
    ) t`,
});
const INDEX = query<{ rows: string }>({
  sqlite: `SELECT json_group_array(json_object(${INDEXED.pairs})) AS "rows" FROM (
      SELECT d."doc", e.* FROM "CatalogSearchDoc" d JOIN "CatalogEntry" e ON e."id" = d."entryId"
      WHERE d."doc" > ? ORDER BY d."doc" LIMIT ${CHUNK}
    )`,
  postgresql: `SELECT coalesce(json_agg(t ORDER BY t."doc"), '[]')::text AS "rows" FROM (
      SELECT ${INDEXED.selected} FROM "CatalogSearch" d JOIN "CatalogEntry" e ON e."id" = d."entryId"
      WHERE d."doc" > ? ORDER BY d."doc" LIMIT ${CHUNK}
    ) t`,
});

/** Revision that grows with every visible change of entries or packs. */
export async function readCatalogRevision(sql: Sql): Promise<number> {
  return (await sql.get(REVISION))?.value ?? 0;
}

/**
 * Entries that match every word, unordered; a lower rank is better, and names count most. Words consist of letters and
 * digits.
 */
export async function matchCatalog(sql: Sql, words: SoughtWord[]): Promise<IndexMatches> {
  const row = await sql.get(MATCHES, sql.dialect === "sqlite" ? fts5Expression(words) : tsqueryOf(words));
  return { docs: numbers(row?.docs), ranks: numbers(row?.ranks) };
}

function fts5Expression(words: SoughtWord[]): string {
  const each = words.map(({ alternatives }) =>
    alternatives.map(({ text, isPrefix }) => `"${text.replaceAll('"', "")}"${isPrefix ? "*" : ""}`).join(" OR "),
  );
  return each.map((word) => `(${word})`).join(" AND ");
}

function tsqueryOf(words: SoughtWord[]): string {
  const each = words.map(({ alternatives }) =>
    alternatives.map(({ text, isPrefix }) => `'${text.replaceAll(/['\\]/g, "")}'${isPrefix ? ":*" : ""}`).join(" | "),
  );
  return each.map((word) => `(${word})`).join(" & ");
}

/** All words of the index in order, with the number of entries for each. */
export async function listCatalogWords(sql: Sql): Promise<{ words: string[]; counts: number[] }> {
  const words: string[] = [];
  const counts: number[] = [];
  for (;;) {
    const row = await sql.get(WORDS, words.at(-1) ?? "");
    const some = JSON.parse(row?.words ?? "[]") as string[];
    words.push(...some);
    counts.push(...numbers(row?.counts));
    if (sql.dialect !== "sqlite" || some.length < WORDS_AT_ONCE) return { words, counts };
    await nextTurn();
  }
}

// Captured here, since tests replace timers.
const soon = setImmediate;
const nextTurn = () => new Promise<void>((resolve) => soon(resolve));

/** The entries with these ids, unordered, without deleted ones. */
export async function readListedRows(sql: Sql, ids: string[]): Promise<ListedRow[]> {
  const answer = await sql.get(LIST, JSON.stringify(ids));
  const rows = JSON.parse(answer?.rows ?? "[]") as (Omit<ListedRow, "hasScripts"> & { hasScripts: unknown })[];
  return rows.map((row) => ({ ...row, hasScripts: Boolean(row.hasScripts) }));
}

/** All entries in batches, so that other requests get their turn. */
export async function* readIndexedRows(sql: Sql): AsyncGenerator<IndexedRow[]> {
  let after = 0;
  while (true) {
    const answer = await sql.get(INDEX, after);
    const rows = JSON.parse(answer?.rows ?? "[]") as (Omit<IndexedRow, "hasScripts"> & { hasScripts: unknown })[];
    yield rows.map((row) => ({ ...row, hasScripts: Boolean(row.hasScripts) }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    after = last.doc;
  }
}

/** Columns for SQLite's `json_object`, and as a list; PostgreSQL's times as milliseconds since 1970. */
function columns(list: string): { pairs: string; selected: string } {
  const names = list.split(/\s+/);
  return {
    pairs: names.map((name) => `${name.replaceAll('"', "'")}, ${name}`).join(", "),
    selected: names
      .map((name) => (name.endsWith('At"') ? `extract(epoch FROM ${name}) * 1000 AS ${name}` : name))
      .join(", "),
  };
}

function numbers(json: string | undefined): number[] {
  return JSON.parse(json ?? "[]") as number[];
}
