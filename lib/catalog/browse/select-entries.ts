import { LRUCache } from "lru-cache";
import { storeOf } from "@/lib/core/process-store";
import { listCatalogWords, matchCatalog, type SoughtWord } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { correctWord, createVocabulary, type Vocabulary, wordsOf } from "@/lib/skill-format/search-words";
import { FACETS, type FacetName, type Snapshot } from "./snapshot";

type InstallState = "installed" | "update" | "new";

export type Criteria = {
  sources: ReadonlySet<string>;
  ranks: ReadonlyMap<number, number> | null;
  filters: Partial<Record<FacetName, string>>;
  state: InstallState | undefined;
  pack: string | undefined;
  installed: ReadonlyMap<string, { hasUpdate: boolean }>;
};

export type Selection = {
  /** 1 for the entry that represents its group of identical copies, by index into the snapshot. */
  chosen: Uint8Array;
  total: number;
  /** For each facet value, the number of groups that match the other filters. */
  counts: Int32Array;
  states: Record<InstallState, number>;
};

const NEW: readonly InstallState[] = ["new"];
const INSTALLED: readonly InstallState[] = ["installed"];
const UPDATE: readonly InstallState[] = ["installed", "update"];
const STATE_BIT = 1 << FACETS.length;

/**
 * Selects the entries that match all criteria, one per group of copies, and counts every facet value in the same pass:
 * an entry that fails a single filter still counts for that filter's facet.
 */
export function selectEntries(snapshot: Snapshot, criteria: Criteria): Selection {
  const { entries, groups, values } = snapshot;
  const wanted = wantedValues(snapshot, criteria.filters);
  const bitOfValue = Int32Array.from(values, ({ facet }) => 1 << FACETS.indexOf(facet));
  const inPack = criteria.pack === undefined ? null : new Set(snapshot.packs.get(criteria.pack) ?? []);
  const counts = new Int32Array(values.length);
  const countedFor = new Int32Array(values.length);
  const states = { installed: 0, update: 0, new: 0 };
  const chosen = new Uint8Array(entries.length);
  let total = 0;
  for (const group of candidateGroups(snapshot, criteria)) {
    const members = groups[group] ?? [];
    const install = installOf(snapshot, members, criteria);
    const groupStates = install === null ? NEW : install.hasUpdate ? UPDATE : INSTALLED;
    const stateMiss = criteria.state === undefined || groupStates.includes(criteria.state) ? 0 : STATE_BIT;
    let best = -1;
    let countsForState = false;
    for (const at of members) {
      const entry = entries[at];
      if (!entry || !criteria.sources.has(entry.sourceId)) continue;
      if (entry.isRemoved && !criteria.installed.has(entry.id)) continue;
      if (criteria.ranks !== null && !criteria.ranks.has(entry.doc)) continue;
      if (inPack !== null && !inPack.has(at)) continue;
      let missed = stateMiss;
      for (const { value, bit } of wanted) if (!entry.values.includes(value)) missed |= bit;
      if (missed === 0 && isBetter(snapshot, criteria, at, best)) best = at;
      if ((missed & ~STATE_BIT) === 0) countsForState = true;
      for (const value of entry.values) {
        const bit = bitOfValue[value] ?? 0;
        if ((missed & ~bit) !== 0 || countedFor[value] === group + 1) continue;
        countedFor[value] = group + 1;
        counts[value] = (counts[value] ?? 0) + 1;
      }
    }
    if (countsForState) for (const state of groupStates) states[state] += 1;
    if (best === -1) continue;
    chosen[best] = 1;
    total += 1;
  }
  return { chosen, total, counts, states };
}

function wantedValues(snapshot: Snapshot, filters: Criteria["filters"]) {
  return FACETS.flatMap((facet, index) => {
    const value = filters[facet];
    return value === undefined ? [] : [{ bit: 1 << index, value: snapshot.valueIndex.get(`${facet} ${value}`) ?? -1 }];
  });
}

function candidateGroups({ groups, groupOf, byDoc }: Snapshot, { ranks }: Criteria): Iterable<number> {
  if (ranks === null) return groups.keys();
  const found = new Set<number>();
  for (const doc of ranks.keys()) {
    const group = groupOf[byDoc.get(doc) ?? -1];
    if (group !== undefined) found.add(group);
  }
  return found;
}

function installOf({ entries }: Snapshot, members: number[], { installed }: Criteria): { hasUpdate: boolean } | null {
  if (installed.size === 0) return null;
  const installs = members.flatMap((at) => installed.get(entries[at]?.id ?? "") ?? []);
  return installs.length === 0 ? null : { hasUpdate: installs.some(({ hasUpdate }) => hasUpdate) };
}

/** Prefers an installed copy, then the likely original, then the oldest. */
function isBetter({ entries }: Snapshot, { installed }: Criteria, at: number, best: number): boolean {
  const [entry, rival] = [entries[at], entries[best]];
  if (!entry || !rival) return true;
  const [mine, theirs] = [installed.has(entry.id), installed.has(rival.id)];
  if (mine !== theirs) return mine;
  return entry.placeRank === rival.placeRank ? entry.doc < rival.doc : entry.placeRank < rival.placeRank;
}

/** Search result: entry number to rank; a lower rank is better. */
export type Matches = { revision: number; ranks: Map<number, number> };

const CACHE_SIZE = 60;
const EXACT_NAME = 1_000;
const NAME_BEGINS = 100;

/**
 * Finds the entries that contain every word of the search. Ranks change with the catalog, so results are cached: later
 * pages name the revision of the first page and keep its order.
 */
export async function findMatches(ctx: Ctx, snapshot: Snapshot, q: string, revision: number): Promise<Matches | null> {
  const words = wordsOf(q);
  if (words.length === 0) return null;
  const cache = storeOf(ctx.database, "catalog-matches", createCache);
  const keyOf = (number: number) => `${number} ${words.join(" ")}`;
  const kept = cache.matches.get(keyOf(revision)) ?? cache.matches.get(keyOf(snapshot.revision));
  if (kept) return kept;
  const vocabulary = await vocabularyOf(ctx, cache, snapshot.revision);
  const sought = words.map((word) => soughtWord(word, vocabulary));
  const isUnmatchable = sought.some(({ alternatives }) => alternatives.length === 0);
  const found = isUnmatchable ? { docs: [], ranks: [] } : await matchCatalog(sqlOf(ctx), sought);
  const ranks = new Map<number, number>();
  const wanted = slugOf(q);
  for (const [index, doc] of found.docs.entries()) {
    const slug = snapshot.entries[snapshot.byDoc.get(doc) ?? -1]?.slug ?? "";
    const boost = slug === wanted ? EXACT_NAME : wanted !== "" && slug.startsWith(wanted) ? NAME_BEGINS : 0;
    ranks.set(doc, (found.ranks[index] ?? 0) - boost);
  }
  const matches = { revision: snapshot.revision, ranks };
  cache.matches.set(keyOf(snapshot.revision), matches);
  return matches;
}

type Cache = {
  matches: LRUCache<string, Matches>;
  words: { revision: number; vocabulary: Promise<Vocabulary> } | null;
};

const createCache = (): Cache => ({ matches: new LRUCache({ max: CACHE_SIZE }), words: null });

function vocabularyOf(ctx: Ctx, cache: Cache, revision: number): Promise<Vocabulary> {
  if (cache.words?.revision !== revision)
    cache.words = { revision, vocabulary: listCatalogWords(sqlOf(ctx)).then(createVocabulary) };
  return cache.words.vocabulary;
}

function soughtWord(word: string, vocabulary: Vocabulary): SoughtWord {
  if (isKnownBeginning(word, vocabulary)) return { alternatives: [{ text: word, isPrefix: true }] };
  return { alternatives: correctWord(word, vocabulary).map((text) => ({ text, isPrefix: false })) };
}

/** Whether a word of the catalog begins with this one. */
export function isKnownBeginning(word: string, { words }: Pick<Vocabulary, "words">): boolean {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(words[middle] ?? "", word)) low = middle + 1;
    else high = middle;
  }
  return words[low]?.startsWith(word) ?? false;
}

/** Compares by code points as the index does; JavaScript compares UTF-16 units. */
function isBefore(a: string, b: string): boolean {
  return /[\ud800-\udfff]/.test(a + b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 : a < b;
}
