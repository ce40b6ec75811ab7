import { z } from "zod";
import { parseJsonColumn } from "@/lib/core/json";
import { storeOf } from "@/lib/core/process-store";
import { type IndexedRow, readCatalogRevision, readIndexedRows } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import type { CatalogContent, CatalogSort } from "../schema";
import { spdxName } from "./spdx-name";

export const FACETS = ["source", "class", "tag", "license", "tool", "category", "has"] as const;
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

type Kept = { latest: Snapshot | null; loading: Promise<void> | null };

/** The snapshot of the current revision or a later one. Concurrent requests share one load, and at most one runs at a time. */
export async function currentSnapshot(ctx: Ctx): Promise<Snapshot> {
  const kept = storeOf(ctx.database, "catalog-snapshots", (): Kept => ({ latest: null, loading: null }));
  const revision = await readCatalogRevision(sqlOf(ctx));
  while (kept.latest === null || kept.latest.revision < revision) {
    kept.loading ??= loadSnapshot(ctx)
      .then((snapshot) => {
        kept.latest = snapshot;
      })
      .finally(() => {
        kept.loading = null;
      });
    await kept.loading;
  }
  return kept.latest;
}

/** Rows that change during the load are newer than its revision; the next request then loads again. */
async function loadSnapshot(ctx: Ctx): Promise<Snapshot> {
  const revision = await readCatalogRevision(sqlOf(ctx));
  const rows: IndexedRow[] = [];
  for await (const chunk of readIndexedRows(sqlOf(ctx))) {
    rows.push(...chunk);
    await nextTurn();
  }
  const packs = await ctx.db.catalogPack.findMany({
    select: { id: true, sourceId: true, members: true },
    orderBy: { id: "asc" },
  });
  return buildSnapshot(revision, rows, packs);
}

/** Rows that are indexed before other work of the process gets its turn: a few milliseconds. */
const ROWS_AT_ONCE = 500;
const PACKS_AT_ONCE = 20;
// Captured here, since tests replace timers.
const soon = setImmediate;
const nextTurn = () => new Promise<void>((resolve) => soon(resolve));

type PackRow = { id: string; sourceId: string; members: string };

export async function buildSnapshot(revision: number, rows: IndexedRow[], packs: PackRow[]): Promise<Snapshot> {
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
    if (at % ROWS_AT_ONCE === 0) await nextTurn();
    snapshot.entries.push(indexEntry(snapshot, row));
    snapshot.byDoc.set(row.doc, at);
    snapshot.byId.set(row.id, at);
    snapshot.byPlace.set(placeKey(row.sourceId, row.folder), at);
    const group = groupOfKey.get(row.contentKey) ?? snapshot.groups.push([]) - 1;
    groupOfKey.set(row.contentKey, group);
    snapshot.groups[group]?.push(at);
    snapshot.groupOf[at] = group;
  }
  for (const [number, pack] of packs.entries()) {
    if (number % PACKS_AT_ONCE === 0) await nextTurn();
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
      valueAt(snapshot, "class", row.classGuess),
      ...(row.license === null ? [] : [valueAt(snapshot, "license", spdxName(row.license))]),
      ...broughtBy(row).map((value) => valueAt(snapshot, "has", value)),
      ...listed("tag", row.tags),
      ...listed("tool", row.toolNames),
    ],
  };
}

/** What an entry brings besides its text: `instructions` when it brings nothing else. */
function broughtBy({ kind, hasScripts }: Pick<IndexedRow, "kind" | "hasScripts">): CatalogContent[] {
  const program = kind === "pack" ? ["program" as const] : kind === "pipeline" ? ["pipeline" as const] : [];
  const scripts = hasScripts ? ["scripts" as const] : [];
  return program.length + scripts.length > 0 ? [...program, ...scripts] : ["instructions"];
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
