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
import { hashEvent, placeOf, readChains, readEvents, readSettled, type StoredEvent } from "./chain/chain-events";
import { chainKeyOf } from "./chain/chain-key";
import { recordEvent } from "./record-event";
import {
  chainsOf,
  hashFile,
  SEGMENTS_FOLDER,
  type SealedChain,
  type SegmentManifest,
  segmentName,
  signManifest,
} from "./segments";

const INSERT = query(`INSERT INTO "AuditSegment" ${valuesOf(["fromSeq", "toSeq", "sealedAt", "manifest"])}`);
const LAST_SEALED = query<{ seq: number | null }>(`SELECT MAX("toSeq") AS "seq" FROM "AuditSegment"`);
const ANCHOR = query(`UPDATE "AuditChain" SET "sealedPlace" = ?, "sealedHash" = ? WHERE "chain" = ?`);

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
 * and its manifest is signed; the new anchor of each chain is written in the same transaction. An interrupted seal starts again.
 * The newest event always stays. Returns how many were sealed; throws, without sealing, when an event is invalid.
 */
export async function sealEvents(ctx: Ctx, days: number): Promise<number> {
  const { database } = ctx;
  const until = await readSettled(ctx);
  const start = (await database.readSql.get(LAST_SEALED))?.seq ?? 0;
  const older = new Date(ctx.now().getTime() - days * DAY_MS);
  const folder = join(database.keyFolder, SEGMENTS_FOLDER);
  const draft = join(folder, `sealing-${start + 1}.tmp`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const anchors = (await readChains(database.readSql)).map(({ chain, sealedPlace: toPlace, sealedHash: lastHash }) => {
    return [chain, { chain, fromPlace: toPlace + 1, toPlace, prevHash: lastHash, lastHash }] as const;
  });
  const seen: Seen = { chains: new Map(anchors), seq: start, count: 0, firstAt: "", lastAt: "" };
  const lines = sealedLines(ctx, { older, until: until - 1, seen });
  try {
    await pipeline(
      Readable.from(lines),
      createGzip({ level: 9 }),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    if (seen.count === 0) return 0;
    const manifest = signManifest(await loadSigningKey(database.keyFolder), {
      ...{ fromSeq: start + 1, toSeq: seen.seq, firstAt: seen.firstAt, lastAt: seen.lastAt },
      chains: [...seen.chains.values()].filter(({ fromPlace, toPlace }) => toPlace >= fromPlace),
      ...{ sha256: await hashFile(draft), sealedAt: ctx.now().toISOString() },
    });
    await rename(draft, join(folder, `${segmentName(manifest)}.ndjson.gz`));
    await writeManifest(folder, manifest);
    await inTransaction(ctx, (tx, txCtx) => replaceBySegment(tx, txCtx, manifest));
    return seen.count;
  } finally {
    await rm(draft, { force: true });
  }
}

type Seen = { chains: Map<number, SealedChain>; seq: number; count: number; firstAt: string; lastAt: string };
type Sought = { older: Date; until: number; seen: Seen };

async function* sealedLines({ database }: Ctx, { older, until, seen }: Sought): AsyncGenerator<string> {
  const key = await chainKeyOf(database);
  for await (const rows of readEvents(database.readSql, { after: seen.seq, until })) {
    const old = rows.slice(0, Math.min(indexOfRecent(rows, older), MAX_EVENTS - seen.count));
    for (const row of old) {
      const { chain, place } = placeOf(row);
      const last = seen.chains.get(chain);
      const isOwn = last !== undefined && row.prevHash === last.lastHash && place === last.toPlace + 1;
      if (!isOwn || hashEvent(key, row, row.prevHash) !== row.hash) {
        throw new Error(`Event ${row.seq} of the audit log is invalid, so no event was sealed. Verify the audit log.`);
      }
      seen.chains.set(chain, { ...last, toPlace: place, lastHash: String(row.hash) });
      seen.seq = Number(row.seq);
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
  const { fromSeq, toSeq, sha256 } = manifest;
  const chains = chainsOf(manifest);
  const sql = ctx.database.writeSql;
  await sql.run(INSERT, fromSeq, toSeq, ctx.now(), JSON.stringify(manifest));
  for (const { chain, toPlace, lastHash } of chains) await sql.run(ANCHOR, toPlace, lastHash, chain);
  await sql.run(DELETE, toSeq);
  await forgetEvents(ctx, toSeq);
  await recordEvent(tx, ctx, {
    action: "audit.seal",
    summary: `sealed events ${fromSeq} to ${toSeq} into a file`,
    data: { fromSeq, toSeq, sha256, chains, file: `${SEGMENTS_FOLDER}/${segmentName(manifest)}.ndjson.gz` },
  });
}

/** Call it in the transaction that deletes the events. An hour that the cut divides keeps its full count. */
export async function forgetEvents(ctx: Ctx, upTo: number): Promise<void> {
  const sql = ctx.database.writeSql;
  await sql.run(DELETE_POSTINGS, upTo);
  await sql.run(DELETE_HOURS, upTo);
  await forgetWords(sql, upTo);
}
