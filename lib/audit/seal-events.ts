import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { loadSigningKey } from "@/lib/core/signing-key";
import { forgetWords } from "@/lib/db/audit-index";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, valuesOf } from "@/lib/db/sql";
import {
  type ChainPosition,
  hashEvent,
  readAnchor,
  readEvents,
  readNewest,
  type StoredEvent,
} from "./chain/chain-events";
import { chainKeyOf } from "./chain/chain-key";
import { recordEvent } from "./record-event";
import { hashFile, SEGMENTS_FOLDER, type SegmentManifest, segmentName, signManifest } from "./segments";

const INSERT = query(
  `INSERT INTO "AuditSegment" ${valuesOf(["fromSeq", "toSeq", "prevHash", "lastHash", "sealedAt", "manifest"])}`,
);

const DELETE_POSTINGS = query(
  `DELETE FROM "AuditPosting" WHERE "termId" IN (SELECT "id" FROM "AuditTerm") AND "seq" <= ?`,
);
const DELETE_HOURS = query(`DELETE FROM "AuditHour" WHERE "maxSeq" <= ?`);
const DAY_MS = 86_400_000;
/** Events per file and per deletion, which blocks writes. */
const MAX_EVENTS = 20_000;

const DELETE = query(`DELETE FROM "AuditEvent" WHERE "seq" <= ?`);

/**
 * Moves events older than `days` into a sealed file, at most 20,000, and deletes them. Before that the file is complete on disk
 * and its manifest is signed; the new anchor of the chain is written in the same transaction. An interrupted seal starts again.
 * The newest event always stays. Returns how many were sealed; throws, without sealing, when an event is invalid.
 */
export async function sealEvents(ctx: Ctx, days: number): Promise<number> {
  const { database } = ctx;
  const start = await readAnchor(database.readSql);
  const newest = (await readNewest(database.readSql))?.seq ?? 0;
  const older = new Date(ctx.now().getTime() - days * DAY_MS);
  const folder = join(database.keyFolder, SEGMENTS_FOLDER);
  const draft = join(folder, `sealing-${start.seq + 1}.tmp`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const seen: Seen = { last: start, count: 0, firstAt: "", lastAt: "" };
  const lines = sealedLines(ctx, { start, older, until: Math.min(newest - 1, start.seq + MAX_EVENTS), seen });
  try {
    await pipeline(
      Readable.from(lines),
      createGzip({ level: 9 }),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    if (seen.count === 0) return 0;
    const manifest = signManifest(await loadSigningKey(database.keyFolder), {
      ...{ fromSeq: start.seq + 1, toSeq: seen.last.seq, prevHash: start.hash, lastHash: seen.last.hash },
      ...{ firstAt: seen.firstAt, lastAt: seen.lastAt, sha256: await hashFile(draft) },
      sealedAt: ctx.now().toISOString(),
    });
    await rename(draft, join(folder, `${segmentName(manifest)}.ndjson.gz`));
    await writeManifest(folder, manifest);
    await inTransaction(ctx, (tx, txCtx) => replaceBySegment(tx, txCtx, manifest));
    return seen.count;
  } finally {
    await rm(draft, { force: true });
  }
}

type Seen = { last: ChainPosition; count: number; firstAt: string; lastAt: string };

async function* sealedLines(
  { database }: Ctx,
  { start, older, until, seen }: { start: ChainPosition; older: Date; until: number; seen: Seen },
): AsyncGenerator<string> {
  const key = await chainKeyOf(database);
  for await (const rows of readEvents(database.readSql, { after: start.seq, until })) {
    const old = rows.slice(0, indexOfRecent(rows, older));
    for (const row of old) {
      const holds = row.prevHash === seen.last.hash && hashEvent(key, row, row.prevHash) === row.hash;
      if (!holds || row.seq !== seen.last.seq + 1) {
        throw new Error(
          `Event ${seen.last.seq + 1} of the audit log is invalid, so no event was sealed. Verify the audit log.`,
        );
      }
      seen.last = { seq: row.seq, hash: String(row.hash) };
      seen.firstAt ||= String(row.at);
      seen.lastAt = String(row.at);
      seen.count += 1;
    }
    yield old.map((row) => `${JSON.stringify(row)}\n`).join("");
    if (old.length < rows.length) return;
  }
}

function indexOfRecent(rows: StoredEvent[], older: Date): number {
  const index = rows.findIndex(({ at }) => !(Date.parse(String(at)) < older.getTime()));
  return index === -1 ? rows.length : index;
}

async function writeManifest(folder: string, manifest: SegmentManifest): Promise<void> {
  const handle = await open(join(folder, `${segmentName(manifest)}.manifest.json`), "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // The directory entries must be on disk, too, before events are deleted.
  const names = await open(folder, "r");
  await names.sync().finally(() => names.close());
}

async function replaceBySegment(tx: Tx, ctx: Ctx, manifest: SegmentManifest): Promise<void> {
  const { fromSeq, toSeq, prevHash, lastHash, sha256 } = manifest;
  const values = [fromSeq, toSeq, prevHash, lastHash, ctx.now(), JSON.stringify(manifest)];
  await ctx.database.writeSql.run(INSERT, ...values);
  await ctx.database.writeSql.run(DELETE, toSeq);
  await forgetEvents(ctx, toSeq);
  await recordEvent(tx, ctx, {
    action: "audit.seal",
    summary: `sealed events ${fromSeq} to ${toSeq} into a file`,
    data: { fromSeq, toSeq, sha256, lastHash, file: `${SEGMENTS_FOLDER}/${segmentName(manifest)}.ndjson.gz` },
  });
}

/** Call it in the transaction that deletes the events. An hour that the cut divides keeps its full count. */
export async function forgetEvents(ctx: Ctx, upTo: number): Promise<void> {
  const sql = ctx.database.writeSql;
  await sql.run(DELETE_POSTINGS, upTo);
  await sql.run(DELETE_HOURS, upTo);
  await forgetWords(sql, upTo);
}
