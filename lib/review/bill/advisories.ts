import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { storeOf } from "@/lib/core/process-store";
import { type Ctx, inTransaction } from "@/lib/db/context";
import type { AdvisoryFile } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { parsePackage } from "./parse-package";
import { type AdvisoryFacts, type AdvisoryList, Ecosystem, type NamedPackage } from "./schema";

/** Largest file, in bytes: larger ones would stop other requests while they are read. */
export const MAX_ADVISORY_BYTES = 8 * 1024 * 1024;

const ID = "osv";
const facts = {
  id: true,
  sha256: true,
  records: true,
  createdAt: true,
  createdById: true,
  createdByName: true,
} as const;
const TARGET = { kind: "advisories", id: ID, name: "OSV records" };

type Loaded = { facts: AdvisoryFacts | null; index: AdvisoryIndex };

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});
const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).default([]),
  versions: z.array(z.string()).default([]),
});

/** The part of an OSV record (ossf.github.io/osv-schema) that is read. */
const OsvRecord = z.object({
  id: z.string().min(1).max(200),
  withdrawn: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  summary: z.string().optional(),
  affected: z.array(Affected).default([]),
});
export type OsvRecord = z.infer<typeof OsvRecord>;

/** Advisories by ecosystem and name of the package. */
export type AdvisoryIndex = ReadonlyMap<string, readonly OsvRecord[]>;

/**
 * OSV records of a file: one record, a list, `{"vulns": […]}`, or one record on each line. Withdrawn ones are left out. Throws for
 * another file, with a message that names the record.
 */
export function parseAdvisories(text: string): OsvRecord[] {
  const rows = readRows(text);
  const records = rows.map((row, index) => {
    const parsed = OsvRecord.safeParse(row);
    if (!parsed.success) throw new Error(`record ${index + 1} is not an OSV record`);
    return parsed.data;
  });
  return records.filter(({ withdrawn }) => withdrawn === undefined);
}

function readRows(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
    return z.object({ vulns: z.array(z.unknown()) }).safeParse(parsed).data?.vulns ?? [parsed];
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line, index) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new Error(`line ${index + 1} is not JSON`);
      }
    });
  }
}

export function indexAdvisories(records: readonly OsvRecord[]): AdvisoryIndex {
  const index = new Map<string, OsvRecord[]>();
  for (const record of records) {
    for (const key of new Set(record.affected.map(keyOfAffected))) {
      if (key !== null) index.set(key, [...(index.get(key) ?? []), record]);
    }
  }
  return index;
}

export type Vulnerability = {
  record: OsvRecord;
  /** `yes`: the pinned version is affected; `maybe`: the package is not pinned. */
  affected: "yes" | "maybe";
  /** The lowest version of the record without the vulnerability. */
  fixedIn: string | null;
};

/** The advisories about a package, with those about other versions left out. */
export function findVulnerabilities(named: NamedPackage, index: AdvisoryIndex): Vulnerability[] {
  const key = keyOf(named);
  return (index.get(key) ?? []).flatMap((record): Vulnerability[] => {
    const mine = record.affected.filter((affected) => keyOfAffected(affected) === key);
    const { version } = named;
    if (version !== null && !mine.some((affected) => isAffected(affected, version))) return [];
    const fixed = mine.flatMap(({ ranges }) =>
      ranges.flatMap(({ events }) => events.flatMap((event) => event.fixed ?? [])),
    );
    const later = fixed.filter((candidate) => version === null || compareVersions(candidate, version) > 0);
    const fixedIn = later.sort(compareVersions)[0] ?? null;
    return [{ record, affected: version === null ? "maybe" : "yes", fixedIn }];
  });
}

function isAffected({ versions, ranges }: OsvRecord["affected"][number], version: string): boolean {
  if (versions.some((listed) => compareVersions(listed, version) === 0)) return true;
  return ranges.some(({ type, events }) => type !== "GIT" && isInRange(events, version));
}

/** The evaluation of OSV: events in the order of their versions, the last one up to this version decides. */
function isInRange(events: z.infer<typeof Event>[], version: string): boolean {
  const points = events.flatMap(({ introduced, fixed, last_affected: last }) => [
    ...(introduced === undefined ? [] : [{ at: introduced, order: 0, starts: true }]),
    ...(fixed === undefined ? [] : [{ at: fixed, order: 1, starts: false }]),
    ...(last === undefined ? [] : [{ at: last, order: 2, starts: false }]),
  ]);
  points.sort((a, b) => compareVersions(a.at, b.at) || a.order - b.order);
  let isIn = false;
  for (const { at, order, starts } of points) {
    const place = compareVersions(at, version);
    if (place < 0 || (place === 0 && order < 2)) isIn = starts;
  }
  return isIn;
}

function keyOf({ ecosystem, name }: Pick<NamedPackage, "ecosystem" | "name">): string {
  return `${ecosystem} ${name}`;
}

/** The suffix of an ecosystem, such as `Debian:12`, is ignored. */
function keyOfAffected({ package: about }: OsvRecord["affected"][number]): string | null {
  const ecosystem = Ecosystem.safeParse(about?.ecosystem.split(":")[0]);
  if (about === undefined || !ecosystem.success) return null;
  return keyOf(parsePackage(ecosystem.data, about.name) ?? { ecosystem: ecosystem.data, name: about.name });
}

/**
 * Compares two versions as Semantic Versioning and PEP 440 do for what both write: numbers by value, a missing number as 0, words
 * such as `rc` before the release, `post` after it. Ignores a leading `v` and build metadata after `+`.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareParts(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

type Part = number | string | undefined;

function partsOf(version: string): Part[] {
  const [plain = ""] = version.replace(/^v/i, "").split("+");
  return (plain.toLowerCase().match(/\d+|[a-z]+/g) ?? []).map((part) => (/\d/.test(part) ? Number(part) : part));
}

function compareParts(a: Part, b: Part): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right) return left - right;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number(a ?? 0) - Number(b ?? 0);
}

/** A word is before a number and before the end, except for `post`. */
function rankOf(part: Part): number {
  if (typeof part !== "string") return 1;
  return part === "post" ? 2 : 0;
}

/** Replaces the advisories by those of a file in the OSV format. Throws `invalid` for another file. */
export async function replaceAdvisories(ctx: Ctx, bytes: Uint8Array): Promise<AdvisoryFacts> {
  const actor = requireScope(ctx.actor, "admin");
  const text = new TextDecoder().decode(bytes).replaceAll("\0", "");
  const { length: records } = recordsOf(text);
  const row = {
    ...{ text, sha256: sha256Hex(text), records, createdAt: ctx.now() },
    ...{ createdById: actor.userId, createdByName: actor.name },
  };
  return inTransaction(ctx, async (tx, txCtx) => {
    await tx.advisoryFile.upsert({ where: { id: ID }, create: { id: ID, ...row }, update: row });
    await recordEvent(tx, txCtx, {
      action: "advisories.replace",
      summary: `uploaded ${records} advisories about packages`,
      target: TARGET,
      data: { records, sha256: row.sha256 },
    });
    return present(row);
  });
}

function recordsOf(text: string) {
  try {
    return parseAdvisories(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new AppError("invalid", `The file was not stored: ${message}. Upload records in the OSV format, as JSON.`);
  }
}

/** Removes the advisories; `not_found` without any. */
export async function removeAdvisories(ctx: Ctx): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { count } = await tx.advisoryFile.deleteMany({ where: { id: ID } });
    if (count === 0) throw new AppError("not_found", "No advisories are stored.");
    await recordEvent(tx, txCtx, { action: "advisories.remove", summary: "removed the advisories", target: TARGET });
  });
}

/** The stored file of advisories, if there is one. For admins. */
export async function listAdvisories(ctx: Ctx): Promise<AdvisoryList> {
  requireScope(ctx.actor, "admin");
  const row = await ctx.db.advisoryFile.findUnique({ where: { id: ID }, select: facts });
  return { items: row === null ? [] : [present(row)], nextCursor: null };
}

/** The stored advisories by package; parsed once for each file. */
export async function loadAdvisories(ctx: Ctx): Promise<Loaded> {
  const row = await ctx.db.advisoryFile.findUnique({ where: { id: ID }, select: facts });
  if (row === null) return { facts: null, index: new Map() };
  const kept = storeOf(ctx.database, "advisories", () => ({ sha256: "", index: new Map() as AdvisoryIndex }));
  if (kept.sha256 !== row.sha256) {
    const { text } = await ctx.db.advisoryFile.findUniqueOrThrow({ where: { id: ID }, select: { text: true } });
    kept.index = indexAdvisories(parseAdvisories(text));
    kept.sha256 = row.sha256;
  }
  return { facts: present(row), index: kept.index };
}

function present(
  row: Pick<AdvisoryFile, "records" | "sha256" | "createdAt" | "createdById" | "createdByName">,
): AdvisoryFacts {
  const { records, sha256, createdAt, createdById, createdByName } = row;
  return { records, sha256, uploadedAt: createdAt.toISOString(), uploadedBy: { id: createdById, name: createdByName } };
}
