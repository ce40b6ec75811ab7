import { LRUCache } from "lru-cache";
import { storeOf } from "@/lib/core/process-store";
import { listCatalogWords, matchCatalog, type SoughtWord } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { correctWord, createVocabulary, type Vocabulary, wordsOf } from "@/lib/skill-format/search-words";
import type { Snapshot } from "./snapshot";

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
