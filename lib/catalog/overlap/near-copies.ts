import { AppError } from "@/lib/core/errors";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { listedTo } from "@/lib/skills/access/list-filters";
import { requireVersion } from "@/lib/skills/version-access";
import { diffFiles } from "@/lib/skills/versions/diff-versions";
import { readVerifiedBytes } from "@/lib/skills/versions/read-blob";
import { type FileDiff, VersionState } from "@/lib/skills/versions/schema";
import { requireEntry, visibleCatalog } from "../browse/visible-catalog";
import { loadBlobs } from "../read-files";
import type { NearCopy, NearCopyList } from "./schema";
import { differenceOf, resemblance, SKETCH_HASHES, sketchOf, wordsOf } from "./text-sketch";

/** Estimated share of common word triples from which texts are compared word by word. */
const LEAST_RESEMBLANCE = 0.25;
const MAX_COMPARED = 30;
/** Per cent of words. */
const MAX_DIFFERENCE = 30;
const MAX_SHOWN = 5;
const MARKER = "SKILL.md";

type Subject = { hash: string; bytes: Uint8Array; skillId: string | null; entryId: string | null };

/** Sketches in memory: 256 bytes each. Older ones are not compared above that number. */
const MAX_SKETCHES = 60_000;
const BATCH = 2_000;
const SKETCH_BYTES = SKETCH_HASHES * 4;

const COUNT = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "TextSketch"`);

/** Near copies of a version's SKILL.md in other skills and in the catalog, the most similar first. */
export async function listNearCopiesOfVersion(ctx: Ctx, place: { id: string; digest: string }): Promise<NearCopyList> {
  return listOf(ctx, await subjectOfVersion(ctx, place));
}

/** Near copies of a catalog entry's SKILL.md in skills here and in other entries, the most similar first. */
export async function listNearCopiesOfEntry(ctx: Ctx, id: string): Promise<NearCopyList> {
  return listOf(ctx, await subjectOfEntry(ctx, id));
}

/** The difference from a near copy to a version's SKILL.md; `not_found` for a text that is no near copy of it. */
export async function compareVersionWith(
  ctx: Ctx,
  { hash, ...place }: { id: string; digest: string; hash: string },
): Promise<FileDiff> {
  return compare(ctx, await subjectOfVersion(ctx, place), hash);
}

/** Like `compareVersionWith`, for an entry of the catalog. */
export async function compareEntryWith(ctx: Ctx, { id, hash }: { id: string; hash: string }): Promise<FileDiff> {
  return compare(ctx, await subjectOfEntry(ctx, id), hash);
}

async function subjectOfVersion(ctx: Ctx, { id, digest }: { id: string; digest: string }): Promise<Subject | null> {
  const { skill, version } = await requireVersion(ctx, id, digest);
  const file = version.files.find(({ path }) => path === MARKER);
  const bytes = file === undefined ? null : await readVerifiedBytes(ctx, file.sha256);
  return file === undefined || bytes === null ? null : { hash: file.sha256, bytes, skillId: skill.id, entryId: null };
}

async function subjectOfEntry(ctx: Ctx, id: string): Promise<Subject | null> {
  const { entry } = await requireEntry(ctx, await visibleCatalog(ctx), id);
  const bytes = (await loadBlobs(ctx, [entry.markerSha])).get(entry.markerSha);
  return bytes === undefined ? null : { hash: entry.markerSha, bytes, skillId: null, entryId: entry.id };
}

async function listOf(ctx: Ctx, subject: Subject | null): Promise<NearCopyList> {
  const items = subject === null ? [] : (await findCopies(ctx, subject)).map(({ copy }) => copy);
  return { items: items.slice(0, MAX_SHOWN), nextCursor: null };
}

type Found = { copy: NearCopy; bytes: Uint8Array };

async function findCopies(ctx: Ctx, subject: Subject): Promise<Found[]> {
  const words = wordsOf(new TextDecoder().decode(subject.bytes));
  const sketch = sketchOf(words);
  if (sketch === null) return [];
  const hashes = await findSimilar(ctx, sketch, { least: LEAST_RESEMBLANCE, most: MAX_COMPARED });
  const [skills, entries] = [await findSkills(ctx, subject, hashes), await findEntries(ctx, subject, hashes)];
  const blobs = await loadBlobs(
    ctx,
    entries.map(({ hash }) => hash),
  );
  const found: Found[] = [];
  for (const place of [...skills, ...entries]) {
    const bytes = place.skill === null ? blobs.get(place.hash) : await readVerifiedBytes(ctx, place.hash);
    if (!bytes) continue;
    const differs = differenceOf(words, wordsOf(new TextDecoder().decode(bytes)));
    if (differs <= MAX_DIFFERENCE) found.push({ copy: { ...place, differs }, bytes });
  }
  // Approved skills come before others that differ as much.
  const rank = ({ copy }: Found) => (copy.skill === null ? 2 : copy.skill.state === "approved" ? 0 : 1);
  return found.sort((a, b) => a.copy.differs - b.copy.differs || rank(a) - rank(b));
}

type Place = Omit<NearCopy, "differs">;

/** The newest version of each other skill that the caller sees; an approved one first. */
async function findSkills(ctx: Ctx, { skillId }: Subject, hashes: string[]): Promise<Place[]> {
  const actor = requireScope(ctx.actor, "read");
  const rows = await ctx.db.versionFile.findMany({
    where: {
      path: MARKER,
      sha256: { in: hashes },
      version: {
        state: { in: ["approved", "pending", "rejected", "revoked"] },
        skill: { AND: [listedTo(actor), skillId === null ? {} : { id: { not: skillId } }] },
      },
    },
    select: { sha256: true, version: { include: { skill: { select: { id: true, name: true } } } } },
    orderBy: { versionId: "desc" },
    take: 4 * MAX_COMPARED,
  });
  const bySkill = new Map<string, Place>();
  for (const { sha256, version } of rows) {
    const { id, name } = version.skill;
    const known = bySkill.get(id);
    if (known !== undefined && (known.skill?.state === "approved" || version.state !== "approved")) continue;
    const { digest, number, decidedAt } = version;
    bySkill.set(id, {
      hash: sha256,
      skill: {
        ...{ id, name, digest, number, state: VersionState.parse(version.state) },
        decidedAt: decidedAt?.toISOString() ?? null,
      },
      entry: null,
    });
  }
  return [...bySkill.values()];
}

/** One entry for each text, in the sources that the caller sees. */
async function findEntries(ctx: Ctx, { hash: own, entryId }: Subject, hashes: string[]): Promise<Place[]> {
  const { sources } = await visibleCatalog(ctx);
  const labels = new Map(sources.map(({ id, label }) => [id, label]));
  const rows = await ctx.db.catalogEntry.findMany({
    where: {
      ...{ markerSha: { in: hashes }, state: "present", sourceId: { in: [...labels.keys()] } },
      ...(entryId === null ? {} : { id: { not: entryId } }),
    },
    select: { id: true, name: true, markerSha: true, sourceId: true },
    orderBy: { id: "asc" },
    take: 4 * MAX_COMPARED,
  });
  const byHash = new Map<string, Place>();
  for (const { id, name, markerSha: hash, sourceId } of rows) {
    // Identical copies of an entry are listed with it already.
    if (byHash.has(hash) || (entryId !== null && hash === own)) continue;
    byHash.set(hash, { hash, skill: null, entry: { id, name, source: labels.get(sourceId) ?? "" } });
  }
  return [...byHash.values()];
}

async function compare(ctx: Ctx, subject: Subject | null, hash: string): Promise<FileDiff> {
  const found = subject === null ? [] : await findCopies(ctx, subject);
  const other = found.find(({ copy }) => copy.hash === hash);
  if (subject === null || other === undefined)
    throw new AppError(
      "not_found",
      "This text is no near copy, or you cannot see it. Load the list of near copies again.",
    );
  const side = (sha256: string, bytes: Uint8Array) => ({
    ...{ path: MARKER, mode: "644", sha256, size: bytes.byteLength, isText: true },
    bytes: async () => bytes,
  });
  // A git sha and a SHA-256 of the same bytes differ.
  const [diff] = await diffFiles([side(`other ${hash}`, other.bytes)], [side(subject.hash, subject.bytes)]);
  if (diff === undefined) throw new Error("two texts with different names were not compared");
  return diff;
}

type Index = { hashes: string[]; values: Uint32Array; count: number };

/** The hashes of the texts that resemble a sketch at least that much, the most similar first. */
async function findSimilar(
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
