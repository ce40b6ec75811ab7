import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type Dialect, jsonList, query, type Sql, sqlOf } from "@/lib/db/sql";
import type { Job } from "../sync/queue-sync";
import { MARK_ENTRIES, MARK_INSTALLS, PUT_ENTRIES } from "./entry-statements";
import type { Progress, SyncStore } from "./sync-store";

/** Another job replaced this one, or its source was deleted: nothing of it is stored any more. */
export class SyncSuperseded extends Error {}

/** A page of these holds at most about half a megabyte. */
const KNOWN_AT_ONCE = 1_000;
const FILES_AT_ONCE = 100;

const MISSING = query<{ shas: string }>({
  sqlite: `SELECT json_group_array("value") AS "shas" FROM json_each(?)
    WHERE "value" NOT IN (SELECT b."gitSha" FROM "CatalogBlob" b WHERE b."gitSha" IN ${jsonList("sqlite")})`,
  postgresql: `SELECT coalesce(json_agg("value"), '[]')::text AS "shas" FROM json_array_elements_text(CAST(? AS json)) "value"
    WHERE "value" NOT IN (SELECT b."gitSha" FROM "CatalogBlob" b WHERE b."gitSha" IN ${jsonList("postgresql")})`,
});
const BLOBS = query<{ blobs: string }>({
  sqlite: `SELECT json_group_array(json_object('sha', "gitSha", 'hex', hex("bytes"))) AS "blobs"
    FROM "CatalogBlob" WHERE "gitSha" IN ${jsonList("sqlite")}`,
  postgresql: `SELECT coalesce(json_agg(json_build_object('sha', "gitSha", 'hex', encode("bytes", 'hex'))), '[]')::text AS "blobs"
    FROM "CatalogBlob" WHERE "gitSha" IN ${jsonList("postgresql")}`,
});
const PUT_BLOBS = query({
  sqlite: `INSERT INTO "CatalogBlob" ("gitSha", "size", "bytes", "createdAt")
    SELECT "value" ->> '$.sha', "value" ->> '$.size', unhex("value" ->> '$.hex'), ? FROM json_each(?) WHERE true
    ON CONFLICT ("gitSha") DO NOTHING`,
  postgresql: `INSERT INTO "CatalogBlob" ("gitSha", "size", "bytes", "createdAt")
    SELECT "sha", "size", decode("hex", 'hex'), CAST(? AS timestamp(3))
    FROM json_to_recordset(CAST(? AS json)) AS r("sha" text, "size" int, "hex" text)
    ON CONFLICT ("gitSha") DO NOTHING`,
});
const PROGRESS = query(
  `UPDATE "CatalogSource" SET "done" = ?, "total" = ?, "requests" = ?, "rawReads" = ?
   WHERE "id" = ? AND "jobId" = ? AND "state" = 'running'`,
);
const IS_CURRENT = query<{ id: string }>(
  `SELECT "id" FROM "CatalogSource" WHERE "id" = ? AND "jobId" = ? AND "state" = 'running'`,
);
const KNOWN_COLUMNS = ["folder", "name", "slug", "treeSha", "contentKey", "operatorIndex", "blockedCode", "state"];
const KNOWN = pageOf(KNOWN_COLUMNS, "", KNOWN_AT_ONCE);
const FILES = pageOf(["folder", "files", "operatorIndex"], `AND "state" = 'present'`, FILES_AT_ONCE);
const KEPT = query<{ shas: string }>({
  sqlite: `SELECT json_group_array(substr("gitSha", -40)) AS "shas" FROM "CatalogBlob" WHERE "gitSha" GLOB ?`,
  postgresql: `SELECT coalesce(json_agg(right("gitSha", 40)), '[]')::text AS "shas" FROM "CatalogBlob" WHERE "gitSha" LIKE ?`,
});
const PUT_PACKS = query({
  sqlite: `INSERT INTO "CatalogPack" ("id", "sourceId", "key", "kind", "name", "description", "version", "category", "members", "updatedAt")
    SELECT "value" ->> '$.id', ?, "value" ->> '$.key', "value" ->> '$.kind', "value" ->> '$.name', "value" ->> '$.description',
      "value" ->> '$.version', "value" ->> '$.category', "value" ->> '$.members', ? FROM json_each(?) WHERE true
    ON CONFLICT ("sourceId", "key") DO UPDATE SET "kind" = excluded."kind", "name" = excluded."name",
      "description" = excluded."description", "version" = excluded."version", "category" = excluded."category",
      "members" = excluded."members", "updatedAt" = excluded."updatedAt"`,
  postgresql: `INSERT INTO "CatalogPack" ("id", "sourceId", "key", "kind", "name", "description", "version", "category", "members", "updatedAt")
    SELECT "id", ?, "key", "kind", "name", "description", "version", "category", "members", CAST(? AS timestamp(3))
    FROM json_to_recordset(CAST(? AS json)) AS r("id" text, "key" text, "kind" text, "name" text, "description" text,
      "version" text, "category" text, "members" text)
    ON CONFLICT ("sourceId", "key") DO UPDATE SET "kind" = excluded."kind", "name" = excluded."name",
      "description" = excluded."description", "version" = excluded."version", "category" = excluded."category",
      "members" = excluded."members", "updatedAt" = excluded."updatedAt"`,
});
const DROP_PACKS = {
  sqlite: query(`DELETE FROM "CatalogPack" WHERE "sourceId" = ? AND "key" NOT IN ${jsonList("sqlite")}`),
  postgresql: query(`DELETE FROM "CatalogPack" WHERE "sourceId" = ? AND "key" NOT IN ${jsonList("postgresql")}`),
};

/** A page of a source's entries by folder, as the JSON text of a list. */
function pageOf(columns: string[], where: string, limit: number) {
  const names = columns.map((name) => `"${name}"`).join(", ");
  const page = `SELECT ${names} FROM "CatalogEntry" WHERE "sourceId" = ? AND (CAST(? AS text) IS NULL OR "folder" > ?) ${where}
    ORDER BY "folder" LIMIT ${limit}`;
  return query<{ rows: string }>({
    sqlite: `SELECT json_group_array(json_object(${columns.map((name) => `'${name}', "${name}"`).join(", ")})) AS "rows" FROM (${page})`,
    postgresql: `SELECT coalesce(json_agg(t ORDER BY t."folder"), '[]')::text AS "rows" FROM (${page}) t`,
  });
}

/** Trees are kept among the blobs, under a name of their source, until its next successful sync. */
function keptTreeKey(sourceId: string, sha: string): string {
  return `tree:${sourceId}:${sha}`;
}

/** Matches the names of all trees of a source: SQLite uses its index for GLOB, and not for LIKE. */
function keptTreePattern(dialect: Dialect, sourceId: string): string {
  return keptTreeKey(sourceId, dialect === "sqlite" ? "*" : "%");
}

const FORGET_TREES = query({
  sqlite: `DELETE FROM "CatalogBlob" WHERE "gitSha" GLOB ?`,
  postgresql: `DELETE FROM "CatalogBlob" WHERE "gitSha" LIKE ?`,
});

/** Deletes what interrupted listings of a source kept. */
export async function forgetTrees(sql: Sql, sourceId: string): Promise<void> {
  await sql.run(FORGET_TREES, keptTreePattern(sql.dialect, sourceId));
}

/**
 * Answers the thread of a sync. Writes fail with `SyncSuperseded` when its source has another job, and store nothing then. `before`
 * counts the requests that the process made for this sync.
 */
export function serveStore(
  ctx: Ctx,
  { sourceId, jobId }: Job,
  before: Pick<Progress, "requests" | "rawReads">,
): SyncStore {
  const read = () => sqlOf(ctx);
  const textOf = async (row: Promise<Record<string, string> | undefined>) =>
    Object.values((await row) ?? {})[0] ?? "[]";
  const write = (work: (sql: Sql) => Promise<unknown>) =>
    inTransaction(ctx, async (_tx, txCtx) => {
      const sql = sqlOf(txCtx);
      if ((await sql.get(IS_CURRENT, sourceId, jobId)) === undefined) throw new SyncSuperseded();
      await work(sql);
    });
  const storeProgress = (sql: Sql, { done, total, requests, rawReads }: Progress) =>
    sql.run(PROGRESS, done, total, before.requests + requests, before.rawReads + rawReads, sourceId, jobId);

  return {
    missingBlobs: (shas) => textOf(read().get(MISSING, shas, shas)),
    loadBlobs: (shas) => textOf(read().get(BLOBS, shas)),
    keepBlobs: (blobs, progress) =>
      write(async (sql) => {
        await sql.run(PUT_BLOBS, ctx.now(), blobs);
        await storeProgress(sql, progress);
      }),
    showProgress: (progress) => write((sql) => storeProgress(sql, progress)),
    knownEntries: (after) => textOf(read().get(KNOWN, sourceId, after, after)),
    knownFiles: (after) => textOf(read().get(FILES, sourceId, after, after)),
    keptTrees: () => textOf(read().get(KEPT, keptTreePattern(read().dialect, sourceId))),
    loadTree: async (sha) => {
      const row = await ctx.db.catalogBlob.findUnique({ where: { gitSha: keptTreeKey(sourceId, sha) } });
      return row === null ? null : Buffer.from(row.bytes).toString("utf8");
    },
    keepTree: (sha, hex) =>
      write((sql) =>
        sql.run(PUT_BLOBS, ctx.now(), JSON.stringify([{ sha: keptTreeKey(sourceId, sha), size: hex.length / 2, hex }])),
      ),
    putEntries: (rows, commit) => write((sql) => sql.run(PUT_ENTRIES, sourceId, commit, ctx.now(), ctx.now(), rows)),
    markEntries: (state, folders) =>
      write(async (sql) => {
        const removedAt = state === "removed" ? ctx.now() : null;
        await sql.run(MARK_ENTRIES[sql.dialect], state, removedAt, sourceId, folders);
        await sql.run(MARK_INSTALLS[sql.dialect], state === "removed" ? "removed" : "current", sourceId, folders);
      }),
    putPacks: (rows) => write((sql) => sql.run(PUT_PACKS, sourceId, ctx.now(), rows)),
    dropPacksExcept: (keys) => write((sql) => sql.run(DROP_PACKS[sql.dialect], sourceId, keys)),
  };
}
