import { createHash, verify } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";
import type { SigningKey } from "@/lib/core/signing-key";
import { FIRST_CHAIN, type StoredEvent } from "./chain/chain-events";

export const SEGMENTS_FOLDER = "audit-segments";

const Facts = {
  fromSeq: z.number().int().min(1),
  toSeq: z.number().int().min(1),
  firstAt: z.string(),
  lastAt: z.string(),
  /** SHA-256 of the compressed file. */
  sha256: z.string(),
  sealedAt: z.string(),
  keyId: z.string(),
};
const SealedChain = z.strictObject({
  chain: z.number().int(),
  fromPlace: z.number().int().min(1),
  toPlace: z.number().int().min(1),
  /** Hash before the first event, and of the last one, where the chain continues. */
  prevHash: z.string(),
  lastHash: z.string(),
});
export type SealedChain = z.infer<typeof SealedChain>;
const Statement = z.discriminatedUnion("v", [
  /** Of earlier releases: events of the first chain, where the place was the number. */
  z.strictObject({ v: z.literal(1), ...Facts, prevHash: z.string(), lastHash: z.string() }),
  /** All events from one number to the other, and their chains. */
  z.strictObject({ v: z.literal(2), ...Facts, chains: z.array(SealedChain) }),
]);
type Statement = z.infer<typeof Statement>;
export type SegmentManifest = Statement & { sig: string };

export function chainsOf(manifest: Statement): SealedChain[] {
  if (manifest.v === 2) return manifest.chains;
  const { fromSeq: fromPlace, toSeq: toPlace, prevHash, lastHash } = manifest;
  return [{ chain: FIRST_CHAIN, fromPlace, toPlace, prevHash, lastHash }];
}

/** How many events a segment has. */
export function sealedCount(manifest: Statement): number {
  return chainsOf(manifest).reduce((sum, { fromPlace, toPlace }) => sum + toPlace - fromPlace + 1, 0);
}

export function segmentName({ fromSeq, toSeq }: Pick<SegmentManifest, "fromSeq" | "toSeq">): string {
  return `${fromSeq}-${toSeq}`;
}

type NewManifest = Omit<Extract<Statement, { v: 2 }>, "v" | "keyId">;

export function signManifest(key: SigningKey, facts: NewManifest): SegmentManifest {
  const statement = { v: 2 as const, ...facts, keyId: key.keyId };
  return { ...statement, sig: key.sign(canonicalJson(statement)) };
}

/** The manifest; null unless its signature with this key is valid. */
export function readManifest(text: string, key: Pick<SigningKey, "keyId" | "publicKey">): SegmentManifest | null {
  try {
    const { sig, ...rest } = Signed.parse(JSON.parse(text));
    const statement = Statement.parse(rest);
    const bytes = Buffer.from(canonicalJson(statement), "utf8");
    const fits = statement.keyId === key.keyId && verify(null, bytes, key.publicKey, Buffer.from(sig, "base64"));
    return fits ? { ...statement, sig } : null;
  } catch {
    return null; // Malformed, which callers treat like an invalid signature.
  }
}

const Signed = z.looseObject({ sig: z.string() });

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
