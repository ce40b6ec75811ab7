import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { StoredEvent } from "../chain/event-columns";
import { SEGMENTS_FOLDER, type SegmentManifest, segmentName } from "./manifest";

const BATCH = 500;

/** Path of the sealed file; null when it is not here. */
export function findSegment(folder: string, manifest: SegmentManifest): string | null {
  const file = join(folder, SEGMENTS_FOLDER, `${segmentName(manifest)}.ndjson.gz`);
  return existsSync(file) ? file : null;
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** The events of a sealed file in batches, without ever holding all of them. */
export async function* readSegment(file: string): AsyncGenerator<StoredEvent[]> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on("error", (error) => unpacked.destroy(error));
  yield* readEventLines(unpacked);
}

/** Events of NDJSON text, as an export writes them; throws where a line is not JSON. */
export async function* readEventLines(input: NodeJS.ReadableStream): AsyncGenerator<StoredEvent[]> {
  let rows: StoredEvent[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === "") continue;
    rows.push(JSON.parse(line));
    if (rows.length < BATCH) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
