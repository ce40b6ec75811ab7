import type { KeyObject } from "node:crypto";
import type { SigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { query, type Sql } from "@/lib/db/sql";
import { chainsOf, findSegment, hashFile, readManifest, readSegment, type SegmentManifest } from "../segments";
import { FIRST_CHAIN, GENESIS, hashEvent, placeOf, readEvents, type StoredEvent } from "./chain-events";
import { chainKeyOf } from "./chain-key";
import { broken, type ChainCheck, checkChain, positionKey } from "./check-chain";
import { type HeadLine, type Heads, positionsOf } from "./heads";
import type { AuditVerification, BrokenEvent } from "./schema";

const BEFORE = query<{ hash: string | null }>(
  `SELECT "hash" FROM "AuditEvent" WHERE "chain" = ? AND COALESCE("place", "seq") = ?`,
);

type Neighbours = { before: unknown; after: unknown };

export type SegmentRow = { fromSeq: number; toSeq: number; manifest: string };
const SEGMENTS = query<SegmentRow>(`SELECT "fromSeq", "toSeq", "manifest" FROM "AuditSegment" ORDER BY "fromSeq"`);

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
  /** The newest event. */
  last: { seq: number; hash: string };
};

/**
 * Checks sealed segments, the events in the database and the signed heads, of all chains together. Holds one batch in
 * memory. The events must include all up to some moment: of each chain those up to some place.
 */
export async function verifyChain(input: Input): Promise<ChainResult> {
  const { key, heads, segments } = input;
  const lines = heads?.lines.filter(({ kind }) => kind === "head") ?? [];
  const signed = new Map(lines.flatMap(positionsOf).map((position) => [positionKey(position), position.hash]));
  const check = checkChain({ key, signed, skipChecks: input.skipChecks ?? false });
  const seen: AuditVerification["segments"] = { present: 0, absent: [] };
  let firstBroken: BrokenEvent | null = null;
  let after = 0;
  for (const row of segments) {
    firstBroken ??= await checkSegment(input, check, { row, seen, expected: after + 1 });
    after = row.toSeq;
  }
  firstBroken ??= await checkEvents(input, check);
  firstBroken ??= cutTail(check, lines.at(-1)) ?? headsProblem(input, lines.at(-1));
  const head = lines.at(-1) ?? null;
  return {
    checked: check.checked,
    firstBroken,
    head: head && { seq: head.seq, hash: head.hash, at: head.at, keyId: head.keyId },
    unsigned: unsignedCount(check, head),
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

type Segment = { row: SegmentRow; seen: AuditVerification["segments"]; expected: number };

async function checkSegment(input: Input, check: ChainCheck, segment: Segment): Promise<BrokenEvent | null> {
  const { row, seen, expected } = segment;
  const not = (why: string) => broken(expected, "segment", `begins a sealed segment that ${why}`);
  const manifest = input.signer && readManifest(row.manifest, input.signer);
  if (manifest === null) return not("has no manifest with a valid signature");
  if (!isSame(manifest, row)) return not("differs from its manifest");
  if (manifest.fromSeq !== expected) return broken(expected, "missing", "is missing in the sealed segments");
  const chains = chainsOf(manifest);
  for (const { chain, fromPlace, prevHash } of chains) {
    const last = check.of(chain);
    if (fromPlace !== last.place + 1 || prevHash !== last.hash) return not("does not follow the event before it");
  }
  const file = input.folder === null ? null : findSegment(input.folder, manifest);
  if (file === null) {
    seen.absent.push({ fromSeq: manifest.fromSeq, toSeq: manifest.toSeq });
    for (const { chain, toPlace: place, lastHash: hash } of chains) {
      check.skip({ chain, place, hash, seq: manifest.toSeq });
    }
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
  const isWhole = chains.every(({ chain, toPlace, lastHash }) => {
    const last = check.of(chain);
    return last.place === toPlace && last.hash === lastHash;
  });
  return isWhole && check.last.seq === manifest.toSeq ? null : not("does not end where its manifest says");
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
  return manifest.fromSeq === row.fromSeq && manifest.toSeq === row.toSeq;
}

function cutTail(check: ChainCheck, head: HeadLine | undefined): BrokenEvent | null {
  for (const { chain, place } of head === undefined ? [] : positionsOf(head)) {
    const last = check.of(chain);
    if (head === undefined || last.place >= place) continue;
    const isAll = chain === FIRST_CHAIN && last.seq === last.place;
    const what = isAll
      ? `is missing: the end was cut off; the head signed at ${head.at} names event ${head.seq}`
      : `or a later one is missing: the end of chain ${chain} was cut off; the head signed at ${head.at} names ${place} events of it, not ${last.place}`;
    return broken(last.seq + 1, "tail_cut", what);
  }
  return null;
}

/** Events after the head, in all chains. */
function unsignedCount(check: ChainCheck, head: HeadLine | null): number {
  const signed = new Map(head === null ? [] : positionsOf(head).map(({ chain, place }) => [chain, place]));
  return check.chains().reduce((sum, chain) => sum + Math.max(0, check.of(chain).place - (signed.get(chain) ?? 0)), 0);
}

function headsProblem({ heads }: Input, head: HeadLine | undefined): BrokenEvent | null {
  const seq = (head?.seq ?? 0) + 1;
  if (heads === undefined) return null;
  const why = heads === null ? "the file of signed heads is missing" : heads.problem;
  return why === null ? null : broken(seq, "heads", `and later events are not covered by a signed head: ${why}`);
}

/** Null for an event that is not chained or whose predecessor was sealed. */
export async function verifyEvent(ctx: Ctx, seq: number): Promise<boolean | null> {
  const { readSql: sql } = ctx.database;
  for await (const [event] of readEvents(sql, { after: seq - 1, until: seq })) {
    if (event === undefined || event.hash === null) return null;
    const { chain, place } = placeOf(event);
    const before = await sql.get(BEFORE, chain, place - 1);
    if (before === undefined && place > 1) return null;
    const prevHash = before?.hash ?? GENESIS;
    return event.prevHash === prevHash && event.hash === hashEvent(await chainKeyOf(ctx.database), event, prevHash);
  }
  return null;
}

/** The hash covers number, chain and place, so a copy elsewhere is invalid. Without the key only links are compared. */
export function isIntactLink(
  key: KeyObject | null,
  event: StoredEvent,
  { before = GENESIS, after }: Neighbours,
): boolean {
  if (event.hash === null || event.prevHash !== before) return false;
  if (after !== undefined && after !== event.hash) return false;
  return key === null || event.hash === hashEvent(key, event, before);
}
