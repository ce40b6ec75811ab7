import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { resemblance, SKETCH_HASHES } from "./text-sketch";

/** Sketches in memory: 256 bytes each. Older ones are not compared above that number. */
const MAX_SKETCHES = 60_000;
const BATCH = 2_000;
const SKETCH_BYTES = SKETCH_HASHES * 4;

type Index = { hashes: string[]; values: Uint32Array; count: number };

const COUNT = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "TextSketch"`);

/** The hashes of the texts that resemble a sketch at least that much, the most similar first. */
export async function findSimilar(
  ctx: Ctx,
  sketch: Uint32Array,
  { least, most }: { least: number; most: number },
): Promise<string[]> {
  const { hashes, values } = await currentIndex(ctx);
  const found: { hash: string; share: number }[] = [];
  for (const [at, hash] of hashes.entries()) {
    const share = resemblance(sketch, values, at * SKETCH_HASHES);
    if (share >= least) found.push({ hash, share });
  }
  return found
    .sort((a, b) => b.share - a.share || (a.hash < b.hash ? -1 : 1))
    .slice(0, most)
    .map(({ hash }) => hash);
}

/** Rows never change and are never deleted, so their number says whether the index is current. */
async function currentIndex(ctx: Ctx): Promise<Index> {
  const kept = storeOf(ctx.database, "sketch-index", (): { index: Index | null } => ({ index: null }));
  const { count = 0 } = (await ctx.database.readSql.get(COUNT)) ?? {};
  if (kept.index?.count !== count) kept.index = await readIndex(ctx, count);
  return kept.index;
}

async function readIndex(ctx: Ctx, count: number): Promise<Index> {
  const hashes: string[] = [];
  const values = new Uint32Array(Math.min(count, MAX_SKETCHES) * SKETCH_HASHES);
  for (let after = ""; hashes.length < MAX_SKETCHES; ) {
    const rows = await ctx.db.textSketch.findMany({
      where: { hash: { gt: after } },
      orderBy: { hash: "asc" },
      take: BATCH,
    });
    for (const { hash, sketch } of rows) {
      after = hash;
      if (sketch.byteLength !== SKETCH_BYTES || (hashes.length + 1) * SKETCH_HASHES > values.length) continue;
      const view = new DataView(sketch.buffer, sketch.byteOffset, SKETCH_BYTES);
      for (let index = 0; index < SKETCH_HASHES; index += 1) {
        values[hashes.length * SKETCH_HASHES + index] = view.getUint32(index * 4, true);
      }
      hashes.push(hash);
    }
    if (rows.length < BATCH) break;
  }
  return { hashes, values, count };
}
