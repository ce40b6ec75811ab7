import type { Ctx } from "@/lib/db/context";

const CHUNK = 400;

/** Bytes of stored blobs by sha; missing blobs are omitted. */
export async function loadBlobs(ctx: Ctx, shas: string[]): Promise<Map<string, Uint8Array>> {
  const loaded = new Map<string, Uint8Array>();
  for (let start = 0; start < shas.length; start += CHUNK) {
    const rows = await ctx.db.catalogBlob.findMany({ where: { gitSha: { in: shas.slice(start, start + CHUNK) } } });
    for (const row of rows) loaded.set(row.gitSha, row.bytes);
  }
  return loaded;
}
