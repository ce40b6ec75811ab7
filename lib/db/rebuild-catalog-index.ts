import { query, type Sql } from "./sql";

/** Entries whose words a start compares: the oldest and the newest. */
const SAMPLE = 16;
const CHUNK = 500;
const MOST_CHARACTERS = 100;

// FTS5 lists its documents in a table of its own.
const FIT = query<{ entries: number; missing: number; orphaned: number; revisions: number }>({
  sqlite: `SELECT (SELECT COUNT(*) FROM "CatalogEntry") AS "entries",
      (SELECT COUNT(*) FROM "CatalogEntry" e WHERE NOT EXISTS (
        SELECT 1 FROM "CatalogSearchDoc" d JOIN "CatalogSearch_docsize" s ON s."id" = d."doc" WHERE d."entryId" = e."id"
      )) AS "missing",
      (SELECT COUNT(*) FROM "CatalogSearchDoc" d
        WHERE NOT EXISTS (SELECT 1 FROM "CatalogEntry" e WHERE e."id" = d."entryId")) +
      (SELECT COUNT(*) FROM "CatalogSearch_docsize" s
        WHERE NOT EXISTS (SELECT 1 FROM "CatalogSearchDoc" d WHERE d."doc" = s."id")) AS "orphaned",
      (SELECT COUNT(*) FROM "CatalogRevision") AS "revisions"`,
  postgresql: `SELECT (SELECT COUNT(*) FROM "CatalogEntry") AS "entries",
      (SELECT COUNT(*) FROM "CatalogEntry" e
        WHERE NOT EXISTS (SELECT 1 FROM "CatalogSearch" f WHERE f."entryId" = e."id")) AS "missing",
      (SELECT COUNT(*) FROM "CatalogSearch" f
        WHERE NOT EXISTS (SELECT 1 FROM "CatalogEntry" e WHERE e."id" = f."entryId")) AS "orphaned",
      (SELECT COUNT(*) FROM "CatalogRevision") AS "revisions"`,
});
const OLDEST = query<{ id: string }>(`SELECT "id" FROM "CatalogEntry" WHERE "id" > ? ORDER BY "id" LIMIT ?`);
const NEWEST = query<{ id: string }>(`SELECT "id" FROM "CatalogEntry" ORDER BY "id" DESC LIMIT ?`);

type Texts = { doc: number; name: string; tags: string; description: string; place: string };
const TEXTS = `SELECT d."doc", t."name", t."tags", t."description", t."place" FROM json_each(?) ids
  JOIN "CatalogSearchDoc" d ON d."entryId" = ids."value" JOIN "CatalogSearchText" t ON t."entryId" = d."entryId"`;
const IN_SQLITE = {
  texts: query<Texts>({ sqlite: TEXTS, postgresql: "" }),
  holds: query<{ doc: number }>({
    sqlite: `SELECT rowid AS "doc" FROM "CatalogSearch" WHERE "CatalogSearch" MATCH ? AND rowid = ?`,
    postgresql: "",
  }),
};
const STALE_IN_POSTGRES = query<{ count: number }>({
  sqlite: "",
  postgresql: `SELECT COUNT(*) AS "count" FROM "CatalogSearch" f JOIN "CatalogSearchText" t ON t."entryId" = f."entryId"
    WHERE f."entryId" IN (SELECT json_array_elements_text(CAST(? AS json))) AND f."words" IS DISTINCT FROM t."words"`,
});

/**
 * Returns how the catalog index differs from its entries, as a sentence; null when it matches. Checks the keys of all
 * entries, and the words of the 16 oldest and 16 newest, or of `every` one.
 */
export async function checkCatalogIndex(sql: Sql, { every = false } = {}): Promise<string | null> {
  const fit = await sql.get(FIT);
  if (fit === undefined || fit.revisions !== 1) return "the catalog has no revision";
  if (fit.missing > 0) return `${fit.missing} of ${fit.entries} entries of the catalog are missing in its index`;
  if (fit.orphaned > 0) return `the index of the catalog holds ${fit.orphaned} entries that the catalog does not have`;
  let [stale, after] = [0, ""];
  do {
    const ids = (await sql.all(OLDEST, after, every ? CHUNK : SAMPLE)).map(({ id }) => id);
    if (!every) ids.push(...(await sql.all(NEWEST, SAMPLE)).map(({ id }) => id));
    stale += await countStale(sql, [...new Set(ids)]);
    after = every ? (ids.at(-1) ?? "") : "";
  } while (after !== "");
  return stale === 0 ? null : `${stale} entries of the catalog are not found by their words`;
}

async function countStale(sql: Sql, ids: string[]): Promise<number> {
  if (sql.dialect === "postgresql") return (await sql.get(STALE_IN_POSTGRES, JSON.stringify(ids)))?.count ?? 0;
  let count = 0;
  for (const { doc, ...texts } of await sql.all(IN_SQLITE.texts, JSON.stringify(ids))) {
    const phrases = Object.entries(texts).flatMap(([column, text]) => phraseOf(column, text));
    if (phrases.length > 0 && (await sql.get(IN_SQLITE.holds, phrases.join(" AND "), doc)) === undefined) count += 1;
  }
  return count;
}

/** FTS5 tokenizes phrases like texts. Skips phrases without words, and never cuts within a word. */
function phraseOf(column: string, text: string): string[] {
  const end = text.length <= MOST_CHARACTERS ? text.length : text.lastIndexOf(" ", MOST_CHARACTERS);
  const phrase = text.slice(0, Math.max(0, end));
  return /[A-Za-z0-9]/.test(phrase) && !phrase.includes("\0") ? [`${column} : "${phrase.replaceAll('"', '""')}"`] : [];
}

const RAISE = query(
  `INSERT INTO "CatalogRevision" AS r ("id", "value") VALUES (1, ?)
   ON CONFLICT ("id") DO UPDATE SET "value" = CASE WHEN r."value" < excluded."value" THEN excluded."value" ELSE r."value" END + 1`,
);
const REBUILD = [
  query({
    sqlite: `DELETE FROM "CatalogSearchDoc" WHERE "entryId" NOT IN (SELECT "id" FROM "CatalogEntry")`,
    postgresql: `DELETE FROM "CatalogSearch" WHERE "entryId" NOT IN (SELECT "id" FROM "CatalogEntry")`,
  }),
  query({
    sqlite: `INSERT INTO "CatalogSearchDoc" ("entryId") SELECT "id" FROM "CatalogEntry" e
      WHERE NOT EXISTS (SELECT 1 FROM "CatalogSearchDoc" d WHERE d."entryId" = e."id") ORDER BY "id"`,
    postgresql: `INSERT INTO "CatalogSearch" AS f ("entryId", "words") SELECT "entryId", "words" FROM "CatalogSearchText"
      ON CONFLICT ("entryId") DO UPDATE SET "words" = excluded."words" WHERE f."words" IS DISTINCT FROM excluded."words"`,
  }),
];
const REFILL = [
  query({ sqlite: `INSERT INTO "CatalogSearch" ("CatalogSearch") VALUES ('delete-all')`, postgresql: "" }),
  query({
    sqlite: `INSERT INTO "CatalogSearch" (rowid, "name", "tags", "description", "place")
      SELECT d."doc", t."name", t."tags", t."description", t."place"
      FROM "CatalogSearchDoc" d JOIN "CatalogSearchText" t ON t."entryId" = d."entryId"`,
    postgresql: "",
  }),
];

/**
 * Rebuilds the catalog index, keeping the entries' numbers, and raises the revision above `atLeast`. Only inside a
 * transaction.
 */
export async function rebuildCatalogIndex(sql: Sql, { atLeast = 0 } = {}): Promise<void> {
  for (const statement of sql.dialect === "sqlite" ? [...REBUILD, ...REFILL] : REBUILD) await sql.run(statement);
  await sql.run(RAISE, atLeast);
}
