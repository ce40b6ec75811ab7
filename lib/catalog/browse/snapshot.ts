import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { storeOf } from "@/lib/core/process-store";
import { type IndexedRow, readCatalogRevision, readIndexedRows } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import type { CatalogSort } from "../schema";

export const FACETS = ["source", "tag", "license", "tool", "category", "has"] as const;
export type FacetName = (typeof FACETS)[number];

export type IndexedEntry = {
  doc: number;
  id: string;
  sourceId: string;
  slug: string;
  bytes: number;
  changedAt: number;
  firstSeenAt: number;
  isRemoved: boolean;
  treeSha: string;
  contentKey: string;
  /** Rank among identical copies; 0 is the likely original. */
  placeRank: number;
  values: number[];
};

/** Fields to filter, count and sort entries at one revision: a few megabytes for 20,000 entries. */
export type Snapshot = {
  revision: number;
  /** Ordered by slug and id. The other fields refer to entries by their index here. */
  entries: IndexedEntry[];
  byDoc: Map<number, number>;
  byId: Map<string, number>;
  byPlace: Map<string, number>;
  groups: number[][];
  groupOf: Int32Array;
  values: { facet: FacetName; value: string }[];
  valueIndex: Map<string, number>;
  packs: Map<string, number[]>;
  packsOf: Map<number, string[]>;
  orders: Map<CatalogSort, number[]>;
};

type Kept = { latest: Snapshot | null; loading: { revision: number; snapshot: Promise<Snapshot> } | null };

/** The snapshot of the current revision; concurrent requests share one load. */
export async function currentSnapshot(ctx: Ctx): Promise<Snapshot> {
  const kept = storeOf(ctx.database, "catalog-snapshots", (): Kept => ({ latest: null, loading: null }));
  const revision = await readCatalogRevision(sqlOf(ctx));
  if (kept.latest?.revision === revision) return kept.latest;
  if (kept.loading?.revision !== revision) {
    const loading = { revision, snapshot: loadSnapshot(ctx, revision) };
    kept.loading = loading;
    const done = () => {
      if (kept.loading === loading) kept.loading = null;
    };
    loading.snapshot.then((snapshot) => {
      if (kept.latest === null || kept.latest.revision < snapshot.revision) kept.latest = snapshot;
      done();
    }, done);
  }
  return kept.loading.snapshot;
}

/** Rows that change during the load are newer than `revision`; the next request loads again. */
async function loadSnapshot(ctx: Ctx, revision: number): Promise<Snapshot> {
  const rows: IndexedRow[] = [];
  for await (const chunk of readIndexedRows(sqlOf(ctx))) rows.push(...chunk);
  const packs = await ctx.db.catalogPack.findMany({
    select: { id: true, sourceId: true, members: true },
    orderBy: { id: "asc" },
  });
  return buildSnapshot(revision, rows, packs);
}

type PackRow = { id: string; sourceId: string; members: string };

export function buildSnapshot(revision: number, rows: IndexedRow[], packs: PackRow[]): Snapshot {
  rows.sort((a, b) => compare(a.slug, b.slug) || compare(a.id, b.id));
  const snapshot: Snapshot = {
    revision,
    entries: [],
    byDoc: new Map(),
    byId: new Map(),
    byPlace: new Map(),
    groups: [],
    groupOf: new Int32Array(rows.length),
    values: [],
    valueIndex: new Map(),
    packs: new Map(),
    packsOf: new Map(),
    orders: new Map(),
  };
  const groupOfKey = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    snapshot.entries.push(indexEntry(snapshot, row));
    snapshot.byDoc.set(row.doc, at);
    snapshot.byId.set(row.id, at);
    snapshot.byPlace.set(placeKey(row.sourceId, row.folder), at);
    const group = groupOfKey.get(row.contentKey) ?? snapshot.groups.push([]) - 1;
    groupOfKey.set(row.contentKey, group);
    snapshot.groups[group]?.push(at);
    snapshot.groupOf[at] = group;
  }
  for (const pack of packs) {
    const folders = parseJsonColumn(z.array(z.string()), pack.members);
    const members = folders.flatMap((folder) => snapshot.byPlace.get(placeKey(pack.sourceId, folder)) ?? []);
    snapshot.packs.set(pack.id, members);
    for (const at of members) snapshot.packsOf.set(at, [...(snapshot.packsOf.get(at) ?? []), pack.id]);
  }
  return snapshot;
}

function indexEntry(snapshot: Snapshot, row: IndexedRow): IndexedEntry {
  const listed = (facet: FacetName, json: string) =>
    [...new Set(JSON.parse(json) as string[])].map((value) => valueAt(snapshot, facet, value));
  return {
    doc: row.doc,
    id: row.id,
    sourceId: row.sourceId,
    slug: row.slug,
    bytes: row.bytes,
    changedAt: new Date(row.changedAt).getTime(),
    firstSeenAt: new Date(row.firstSeenAt).getTime(),
    isRemoved: row.state === "removed",
    treeSha: row.treeSha,
    contentKey: row.contentKey,
    placeRank: placeRankOf(row.folder),
    values: [
      valueAt(snapshot, "source", row.sourceId),
      valueAt(snapshot, "category", row.category),
      ...(row.license === null ? [] : [valueAt(snapshot, "license", row.license)]),
      ...(row.hasScripts ? [valueAt(snapshot, "has", "scripts")] : []),
      ...listed("tag", row.tags),
      ...listed("tool", row.toolNames),
    ],
  };
}

/** Repositories keep skills in `skills/` and copy them for agents into folders such as `.claude/skills/`. */
function placeRankOf(folder: string): number {
  if (/(^|\/)\./.test(folder)) return 2;
  return folder === "" || folder.startsWith("skills/") ? 0 : 1;
}

function valueAt(snapshot: Snapshot, facet: FacetName, value: string): number {
  const key = `${facet} ${value}`;
  const known = snapshot.valueIndex.get(key);
  if (known !== undefined) return known;
  const at = snapshot.values.push({ facet, value }) - 1;
  snapshot.valueIndex.set(key, at);
  return at;
}

export function placeKey(sourceId: string, folder: string): string {
  return `${sourceId} ${folder}`;
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
