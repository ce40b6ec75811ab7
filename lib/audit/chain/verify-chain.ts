import type { KeyObject } from "node:crypto";
import type { SigningKey } from "@/lib/core/signing-key";
import { query, type Sql } from "@/lib/db/sql";
import { findSegment, hashFile, readManifest, readSegment, type SegmentManifest } from "../segments";
import type { ChainPosition, StoredEvent } from "./chain-events";
import { broken, type ChainCheck, checkChain } from "./check-chain";
import type { HeadLine, Heads } from "./heads";
import type { AuditVerification, BrokenEvent } from "./schema";

export type SegmentRow = { fromSeq: number; toSeq: number; prevHash: string; lastHash: string; manifest: string };
const SEGMENTS = query<SegmentRow>(
  `SELECT "fromSeq", "toSeq", "prevHash", "lastHash", "manifest" FROM "AuditSegment" ORDER BY "fromSeq"`,
);

export function readSegments(sql: Sql): Promise<SegmentRow[]> {
  return sql.all(SEGMENTS);
}

type Input = {
  key: KeyObject;
  /** Null when unknown: then neither heads nor segments can be checked. */
  signer: Pick<SigningKey, "keyId" | "publicKey"> | null;
  /** Null when the file is missing; absent to skip this check. */
  heads?: Heads | null;
  segments: readonly SegmentRow[];
  /** The folder that contains `audit-segments`; null to skip the files. */
  folder: string | null;
  events: AsyncIterable<StoredEvent[]>;
  /** Called and awaited after each batch. */
  onProgress?(checked: number): Promise<void>;
  skipChecks?: boolean;
};

export type ChainResult = Pick<
  AuditVerification,
  "checked" | "firstBroken" | "head" | "unsigned" | "chainedLater" | "segments"
> & {
  last: ChainPosition;
};

/** Checks sealed segments, the events in the database and the signed heads. Holds one batch in memory. */
export async function verifyChain(input: Input): Promise<ChainResult> {
  const { key, heads, segments } = input;
  const lines = heads?.lines.filter(({ kind }) => kind === "head") ?? [];
  const signed = new Map(lines.map(({ seq, hash }) => [seq, hash]));
  const check = checkChain({ key, signed, skipChecks: input.skipChecks ?? false });
  const seen: AuditVerification["segments"] = { present: 0, absent: [] };
  let firstBroken: BrokenEvent | null = null;
  for (const row of segments) firstBroken ??= await checkSegment(input, check, { row, seen });
  firstBroken ??= await checkEvents(input, check);
  firstBroken ??= cutTail(check, lines.at(-1)) ?? headsProblem(input, lines.at(-1));
  const head = lines.at(-1) ?? null;
  return {
    checked: check.checked,
    firstBroken,
    head: head && { seq: head.seq, hash: head.hash, at: head.at, keyId: head.keyId },
    unsigned: Math.max(0, check.last.seq - (head?.seq ?? 0)),
    chainedLater: heads?.lines.find(({ kind }) => kind === "begin")?.seq ?? 0,
    segments: seen,
    last: check.last,
  };
}

async function checkEvents({ events, onProgress }: Input, check: ChainCheck): Promise<BrokenEvent | null> {
  for await (const rows of events) {
    const found = check.feed(rows);
    if (found !== null) return found;
    await onProgress?.(check.checked);
  }
  return check.end();
}

type Segment = { row: SegmentRow; seen: AuditVerification["segments"] };

async function checkSegment(input: Input, check: ChainCheck, { row, seen }: Segment): Promise<BrokenEvent | null> {
  const expected = check.last.seq + 1;
  const not = (why: string) => broken(expected, "segment", `begins a sealed segment that ${why}`);
  const manifest = input.signer && readManifest(row.manifest, input.signer);
  if (manifest === null) return not("has no manifest with a valid signature");
  if (!isSame(manifest, row)) return not("differs from its manifest");
  if (manifest.fromSeq !== expected) return broken(expected, "missing", "is missing in the sealed segments");
  if (manifest.prevHash !== check.last.hash) return not("does not follow the event before it");
  const file = input.folder === null ? null : findSegment(input.folder, manifest);
  if (file === null) {
    seen.absent.push({ fromSeq: manifest.fromSeq, toSeq: manifest.toSeq });
    check.skip({ seq: manifest.toSeq, hash: manifest.lastHash });
    return null;
  }
  seen.present += 1;
  if ((await hashFile(file)) !== manifest.sha256) {
    return (await readTampered(file, check)) ?? not("was changed after it was sealed");
  }
  for await (const rows of readSegment(file)) {
    const found = check.feed(rows);
    if (found !== null) return found;
    await input.onProgress?.(check.checked);
  }
  const found = check.end();
  if (found !== null) return found;
  return check.last.seq === manifest.toSeq && check.last.hash === manifest.lastHash
    ? null
    : not("does not end where its manifest says");
}

async function readTampered(file: string, check: ChainCheck): Promise<BrokenEvent | null> {
  try {
    for await (const rows of readSegment(file)) {
      const found = check.feed(rows);
      if (found !== null) return found;
    }
    return check.end();
  } catch {
    return null; // No longer a compressed file; the caller reports that.
  }
}

function isSame(manifest: SegmentManifest, row: SegmentRow): boolean {
  return (["fromSeq", "toSeq", "prevHash", "lastHash"] as const).every((name) => manifest[name] === row[name]);
}

function cutTail(check: ChainCheck, head: HeadLine | undefined): BrokenEvent | null {
  if (head === undefined || head.seq <= check.last.seq) return null;
  const seq = check.last.seq + 1;
  return broken(
    seq,
    "tail_cut",
    `is missing: the end was cut off; the head signed at ${head.at} names event ${head.seq}`,
  );
}

function headsProblem({ heads }: Input, head: HeadLine | undefined): BrokenEvent | null {
  const seq = (head?.seq ?? 0) + 1;
  if (heads === undefined) return null;
  const why = heads === null ? "the file of signed heads is missing" : heads.problem;
  return why === null ? null : broken(seq, "heads", `and later events are not covered by a signed head: ${why}`);
}
