import type { SyncStore } from "../thread/sync-store";
import type { ReadBlob, WantedBlob } from "./source-reader";

/** What one call of the store holds at most, unless a single item is larger. */
const ITEMS_AT_ONCE = 32;
const BYTES_AT_ONCE = 256 * 1024;
const SHAS_AT_ONCE = 400;

export type BlobBatch = { add(blob: ReadBlob): Promise<void>; flush(): Promise<void> };

/** Collects blobs and stores them in batches. */
export function createBlobBatch(store: (blobs: string) => Promise<void>): BlobBatch {
  let blobs: ReadBlob[] = [];
  let bytes = 0;
  const flush = async () => {
    if (blobs.length === 0) return;
    const text = JSON.stringify(
      blobs.map((blob) => ({ sha: blob.sha, size: blob.bytes.length, hex: Buffer.from(blob.bytes).toString("hex") })),
    );
    blobs = [];
    bytes = 0;
    await store(text);
  };
  return {
    add: async (blob) => {
      blobs.push(blob);
      bytes += blob.bytes.length;
      if (blobs.length >= ITEMS_AT_ONCE || bytes >= BYTES_AT_ONCE) await flush();
    },
    flush,
  };
}

/** Wanted blobs that are not stored yet, each sha once. */
export async function missingBlobs(store: SyncStore, wanted: WantedBlob[]): Promise<WantedBlob[]> {
  const unique = new Map(wanted.map((blob) => [blob.sha, blob]));
  const shas = [...unique.keys()];
  const missing: WantedBlob[] = [];
  for (let start = 0; start < shas.length; start += SHAS_AT_ONCE) {
    const asked = JSON.stringify(shas.slice(start, start + SHAS_AT_ONCE));
    for (const sha of JSON.parse(await store.missingBlobs(asked)) as string[])
      missing.push(unique.get(sha) as WantedBlob);
  }
  return missing;
}

/** Bytes of stored blobs by sha; missing ones are omitted. */
export async function loadBlobs(store: SyncStore, shas: string[]): Promise<Map<string, Uint8Array>> {
  const loaded = new Map<string, Uint8Array>();
  const unique = [...new Set(shas)];
  for (let start = 0; start < unique.length; start += SHAS_AT_ONCE) {
    const asked = JSON.stringify(unique.slice(start, start + SHAS_AT_ONCE));
    const blobs = JSON.parse(await store.loadBlobs(asked)) as { sha: string; hex: string }[];
    for (const { sha, hex } of blobs) loaded.set(sha, Buffer.from(hex, "hex"));
  }
  return loaded;
}

/** Splits items whose blobs are loaded together, by number and bytes. */
export function* batchesOf<T>(items: T[], bytesOf: (item: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (batch.length > 0 && (batch.length >= ITEMS_AT_ONCE || bytes + size > BYTES_AT_ONCE)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
