import { createHash, verify } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";
import type { SigningKey } from "@/lib/core/signing-key";
import type { StoredEvent } from "./chain/chain-events";

export const SEGMENTS_FOLDER = "audit-segments";

const Statement = z.strictObject({
  v: z.literal(1),
  fromSeq: z.number().int().min(1),
  toSeq: z.number().int().min(1),
  /** Hash before the first event, and of the last one, where the chain continues. */
  prevHash: z.string(),
  lastHash: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** SHA-256 of the compressed file. */
  sha256: z.string(),
  sealedAt: z.string(),
  keyId: z.string(),
});
export const SegmentManifest = Statement.extend({ sig: z.string() });
export type SegmentManifest = z.infer<typeof SegmentManifest>;

export function segmentName({ fromSeq, toSeq }: Pick<SegmentManifest, "fromSeq" | "toSeq">): string {
  return `${fromSeq}-${toSeq}`;
}

export function signManifest(key: SigningKey, facts: Omit<SegmentManifest, "v" | "keyId" | "sig">): SegmentManifest {
  const statement = { v: 1 as const, ...facts, keyId: key.keyId };
  return { ...statement, sig: key.sign(canonicalJson(statement)) };
}

/** The manifest; null unless its signature with this key is valid. */
export function readManifest(text: string, key: Pick<SigningKey, "keyId" | "publicKey">): SegmentManifest | null {
  try {
    const { sig, ...statement } = SegmentManifest.parse(JSON.parse(text));
    const bytes = Buffer.from(canonicalJson(statement), "utf8");
    const fits = statement.keyId === key.keyId && verify(null, bytes, key.publicKey, Buffer.from(sig, "base64"));
    return fits ? { ...statement, sig } : null;
  } catch {
    return null; // Malformed, which callers treat like an invalid signature.
  }
}

const BATCH = 500;

export function findSegment(folder: string, manifest: SegmentManifest): string | null {
  const file = join(folder, SEGMENTS_FOLDER, `${segmentName(manifest)}.ndjson.gz`);
  return existsSync(file) ? file : null;
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

export async function* readSegment(file: string): AsyncGenerator<StoredEvent[]> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip());
  source.on("error", (error) => unpacked.destroy(error));
  yield* readEventLines(unpacked);
}

/** Events from NDJSON, as exported; throws for invalid JSON. */
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
