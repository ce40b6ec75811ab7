import { storeOf } from "@/lib/core/process-store";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import { readCatalogRevision } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { sketchOf, wordsOf } from "./text-sketch";

const BATCH = 200;

type Seen = { version: string; revision: number | null };

const OF_VERSIONS = query<{ versionId: string; hash: string }>(
  `SELECT "versionId", "sha256" AS "hash" FROM "VersionFile" WHERE "versionId" > ? AND "path" = 'SKILL.md'
   ORDER BY "versionId" LIMIT ${BATCH}`,
);
const OF_ENTRIES = query<{ hash: string }>(
  `SELECT DISTINCT "markerSha" AS "hash" FROM "CatalogEntry" WHERE "state" = 'present' AND "markerSha" > ?
   ORDER BY "markerSha" LIMIT ${BATCH}`,
);

/**
 * Stores the sketch of each SKILL.md of versions and catalog entries that has none. Reads only what is new since the last
 * call in this process: ids of versions grow, and the catalog has a revision. Returns the number of new sketches.
 */
export async function sketchTexts(ctx: Ctx): Promise<number> {
  const seen = storeOf(ctx.database, "sketched-texts", (): Seen => ({ version: "", revision: null }));
  const { readSql } = ctx.database;
  let stored = 0;
  for (;;) {
    const rows = await readSql.all(OF_VERSIONS, seen.version);
    const last = rows.at(-1);
    if (last === undefined) break;
    stored += await sketchMissing(ctx, rows, (hashes) =>
      ctx.db.blob
        .findMany({ where: { sha256: { in: hashes } } })
        .then((found) => found.map((row) => ({ ...row, hash: row.sha256 }))),
    );
    seen.version = last.versionId;
  }
  const revision = await readCatalogRevision(readSql);
  if (revision === seen.revision) return stored;
  for (let after = ""; ; ) {
    const rows = await readSql.all(OF_ENTRIES, after);
    const last = rows.at(-1);
    if (last === undefined) break;
    stored += await sketchMissing(ctx, rows, (hashes) =>
      ctx.db.catalogBlob
        .findMany({ where: { gitSha: { in: hashes } } })
        .then((found) => found.map((row) => ({ ...row, hash: row.gitSha }))),
    );
    after = last.hash;
  }
  seen.revision = revision;
  return stored;
}

type Stored = { hash: string; bytes: Uint8Array };

async function sketchMissing(
  ctx: Ctx,
  rows: { hash: string }[],
  load: (hashes: string[]) => Promise<Stored[]>,
): Promise<number> {
  const wanted = [...new Set(rows.map(({ hash }) => hash))];
  const known = await ctx.db.textSketch.findMany({ where: { hash: { in: wanted } }, select: { hash: true } });
  const has = new Set(known.map(({ hash }) => hash));
  const missing = wanted.filter((hash) => !has.has(hash));
  if (missing.length === 0) return 0;
  const sketches: { hash: string; words: number; sketch: Uint8Array<ArrayBuffer> }[] = [];
  for (const { hash, bytes } of await load(missing)) {
    await loopTurn();
    const words = wordsOf(new TextDecoder().decode(bytes));
    const sketch = sketchOf(words);
    // A text without a sketch gets an empty row, so that it is not read again.
    sketches.push({ hash, words: words.length, sketch: new Uint8Array(sketch === null ? [] : bytesOf(sketch)) });
  }
  // Another process may have stored one of them meanwhile; then the job fails and is repeated.
  await inTransaction(ctx, (tx) => tx.textSketch.createMany({ data: sketches }));
  return sketches.length;
}

/** Little-endian on every machine. */
function bytesOf(sketch: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(sketch.length * 4));
  for (const [index, value] of sketch.entries()) view.setUint32(index * 4, value, true);
  return new Uint8Array(view.buffer);
}
