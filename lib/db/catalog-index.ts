import type { Tx } from "./context";

/**
 * The full-text index of the catalog, by SQLite's FTS5. The tables are made, and kept in step with `CatalogEntry`, by the
 * migration `catalog_search`. What other databases do in another way is behind these functions. Answers come as one JSON
 * text: twenty thousand rows one by one would cost more than the search.
 */

/** One word of a search: an entry has to hold one of the alternatives, each the whole or the beginning of a word. */
export type SoughtWord = { alternatives: { text: string; isPrefix: boolean }[] };
export type IndexMatches = { docs: number[]; ranks: number[] };

/** What a list of entries is filtered, counted and sorted by. `tags` and `tools` are JSON arrays. */
export type IndexedRow = {
  doc: number;
  id: string;
  sourceId: string;
  folder: string;
  slug: string;
  license: string | null;
  tags: string;
  tools: string;
  category: string;
  hasScripts: boolean;
  bytes: number;
  treeSha: string;
  contentKey: string;
  state: string;
  changedAt: string | number;
  firstSeenAt: string | number;
};

/** What a list shows of an entry. `allowedTools` and `tags` are JSON arrays. */
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

const CHUNK = 4_000;

/** A number that grows with every change of entries or packs that a list can show. */
export async function readCatalogRevision(db: Tx): Promise<number> {
  const [row] = await db.$queryRaw<{ value: string }[]>`SELECT CAST("value" AS TEXT) AS "value" FROM "CatalogRevision"`;
  return Number(row?.value ?? 0);
}

/**
 * Entries that hold every word, unordered; the lower the rank (bm25, the name counts most), the better. Words are letters
 * and digits only.
 */
export async function matchCatalog(db: Tx, words: SoughtWord[]): Promise<IndexMatches> {
  const expression = words
    .map(
      ({ alternatives }) =>
        `(${alternatives.map(({ text, isPrefix }) => `"${text.replaceAll('"', "")}"${isPrefix ? "*" : ""}`).join(" OR ")})`,
    )
    .join(" AND ");
  const [row] = await db.$queryRaw<{ docs: string; ranks: string }[]>`
    WITH "found" AS MATERIALIZED (
      SELECT rowid AS "doc", bm25("CatalogSearch", 10, 4, 2, 1) AS "rank"
      FROM "CatalogSearch" WHERE "CatalogSearch" MATCH ${expression}
    )
    SELECT json_group_array("doc") AS "docs", json_group_array("rank") AS "ranks" FROM "found"`;
  return { docs: numbers(row?.docs), ranks: numbers(row?.ranks) };
}

/** Every word of the index in order, and how many entries hold it. */
export async function listCatalogWords(db: Tx): Promise<{ words: string[]; counts: number[] }> {
  const [row] = await db.$queryRaw<{ words: string; counts: string }[]>`
    SELECT json_group_array("term") AS "words", json_group_array("doc") AS "counts" FROM "CatalogWord"`;
  return { words: JSON.parse(row?.words ?? "[]") as string[], counts: numbers(row?.counts) };
}

/** The entries with these ids, in no order; those that are gone are missing. */
export async function readListedRows(db: Tx, ids: string[]): Promise<ListedRow[]> {
  const [answer] = await db.$queryRaw<{ rows: string }[]>`
    SELECT json_group_array(json_object(
      'id', "id", 'sourceId', "sourceId", 'folder', "folder", 'name', "name", 'slug', "slug",
      'description', "description", 'whenToUse', "whenToUse", 'allowedTools', "allowedTools", 'license', "license",
      'tags', "tags", 'category', "category", 'kind', "kind", 'classGuess', "classGuess", 'hasScripts', "hasScripts",
      'filesCount', "filesCount", 'bytes', "bytes", 'commit', "commit", 'treeSha', "treeSha",
      'firstSeenAt', "firstSeenAt", 'changedAt', "changedAt", 'state', "state",
      'blockedCode', "blockedCode", 'blockedReason', "blockedReason"
    )) AS "rows"
    FROM "CatalogEntry" WHERE "id" IN (SELECT "value" FROM json_each(${JSON.stringify(ids)}))`;
  const rows = JSON.parse(answer?.rows ?? "[]") as (Omit<ListedRow, "hasScripts"> & { hasScripts: unknown })[];
  return rows.map((row) => ({ ...row, hasScripts: Boolean(row.hasScripts) }));
}

/** Every entry, a few thousand at a time so that other requests get their turn. */
export async function* readIndexedRows(db: Tx): AsyncGenerator<IndexedRow[]> {
  let after = 0;
  while (true) {
    const [answer] = await db.$queryRaw<{ rows: string }[]>`
      SELECT json_group_array(json_object(
        'doc', "doc", 'id', "id", 'sourceId', "sourceId", 'folder', "folder", 'slug', "slug", 'license', "license",
        'tags', "tags", 'tools', "toolNames", 'category', "category", 'hasScripts', "hasScripts", 'bytes', "bytes",
        'treeSha', "treeSha", 'contentKey', "contentKey", 'state', "state", 'changedAt', "changedAt",
        'firstSeenAt', "firstSeenAt"
      )) AS "rows"
      FROM (
        SELECT d."doc", e.* FROM "CatalogSearchDoc" d JOIN "CatalogEntry" e ON e."id" = d."entryId"
        WHERE d."doc" > ${after} ORDER BY d."doc" LIMIT ${CHUNK}
      )`;
    const rows = JSON.parse(answer?.rows ?? "[]") as (Omit<IndexedRow, "hasScripts"> & { hasScripts: unknown })[];
    yield rows.map((row) => ({ ...row, hasScripts: Boolean(row.hasScripts) }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    after = last.doc;
  }
}

function numbers(json: string | undefined): number[] {
  return JSON.parse(json ?? "[]") as number[];
}
