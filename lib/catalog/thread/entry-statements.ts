import { jsonList, query } from "@/lib/db/sql";

type Kind = "text" | "int" | "boolean";

/** Columns of an entry that the index of a skill gives (`sync/index-skill.ts`). */
const INDEXED: Record<string, Kind> = {
  folder: "text",
  name: "text",
  slug: "text",
  description: "text",
  whenToUse: "text",
  allowedTools: "text",
  toolNames: "text",
  license: "text",
  tags: "text",
  category: "text",
  kind: "text",
  classGuess: "text",
  hasScripts: "boolean",
  filesCount: "int",
  bytes: "int",
  files: "text",
  treeSha: "text",
  contentKey: "text",
  markerSha: "text",
  manifest: "text",
  diagnostics: "text",
  operatorIndex: "text",
  blockedCode: "text",
  blockedReason: "text",
};
const NAMES = Object.keys(INDEXED);
const quoted = (names: string[]) => names.map((name) => `"${name}"`).join(", ");
const COLUMNS = `"sourceId", "commit", "state", "removedAt", "firstSeenAt", "changedAt", "id", ${quoted(NAMES)}`;

/** A row keeps its id and first time; it has changed when its tree has. */
const REPLACE = `ON CONFLICT ("sourceId", "folder") DO UPDATE SET ${["commit", "state", "removedAt", ...NAMES]
  .map((name) => `"${name}" = excluded."${name}"`)
  .join(", ")},
  "changedAt" = CASE WHEN "CatalogEntry"."treeSha" = excluded."treeSha" THEN "CatalogEntry"."changedAt" ELSE excluded."changedAt" END`;

/** Adds or replaces entries by their folder: source, commit, now twice, and a JSON list of rows. */
export const PUT_ENTRIES = query({
  sqlite: `INSERT INTO "CatalogEntry" (${COLUMNS})
    SELECT ?, ?, 'present', NULL, ?, ?, ${["id", ...NAMES].map((name) => `"value" ->> '$.${name}'`).join(", ")}
    FROM json_each(?) WHERE true ${REPLACE}`,
  postgresql: `INSERT INTO "CatalogEntry" (${COLUMNS})
    SELECT ?, ?, 'present', NULL, CAST(? AS timestamp(3)), CAST(? AS timestamp(3)), ${quoted(["id", ...NAMES])}
    FROM json_to_recordset(CAST(? AS json)) AS r("id" text, ${NAMES.map((name) => `"${name}" ${INDEXED[name]}`).join(", ")}) ${REPLACE}`,
});

export const MARK_ENTRIES = {
  sqlite: markEntries("sqlite"),
  postgresql: markEntries("postgresql"),
};

function markEntries(dialect: "sqlite" | "postgresql") {
  const removedAt = dialect === "sqlite" ? "?" : "CAST(? AS timestamp(3))";
  return query(
    `UPDATE "CatalogEntry" SET "state" = ?, "removedAt" = ${removedAt} WHERE "sourceId" = ? AND "folder" IN ${jsonList(dialect)}`,
  );
}

export const MARK_INSTALLS = {
  sqlite: markInstalls("sqlite"),
  postgresql: markInstalls("postgresql"),
};

function markInstalls(dialect: "sqlite" | "postgresql") {
  return query(`UPDATE "CatalogInstall" SET "state" = ? WHERE "sourceId" = ? AND "folder" IN ${jsonList(dialect)}`);
}
