import { processStore } from "@/lib/core/process-store";
import { listCatalogWords, matchCatalog, type SoughtWord } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { slugOf } from "@/lib/skill-format/skill-names";
import { correctWord, createVocabulary, isKnownBeginning, type Vocabulary, wordsOf } from "./correct-words";
import type { Snapshot } from "./snapshot";

/** What a search found: entries by their number in the index, each with its rank; the lower the better. */
export type Matches = { revision: number; ranks: Map<number, number> };

const KEPT = 60;
const EXACT_NAME = 1_000;
const NAME_BEGINS = 100;

/**
 * Entries that hold every word of the search. Ranks depend on all that the catalog holds, so what was found is kept for a
 * while: a later page of the same search, which names the revision of its first, goes on in the same order.
 */
export async function findMatches(ctx: Ctx, snapshot: Snapshot, q: string, revision: number): Promise<Matches | null> {
  const words = wordsOf(q);
  if (words.length === 0) return null;
  const cache = cacheFor(ctx);
  const keyOf = (number: number) => `${number} ${words.join(" ")}`;
  const kept = cache.matches.get(keyOf(revision)) ?? cache.matches.get(keyOf(snapshot.revision));
  if (kept) return touch(cache.matches, keyOf(kept.revision), kept);
  const vocabulary = await vocabularyOf(ctx, cache, snapshot.revision);
  const sought = words.map((word) => soughtWord(word, vocabulary));
  const isHopeless = sought.some(({ alternatives }) => alternatives.length === 0);
  const found = isHopeless ? { docs: [], ranks: [] } : await matchCatalog(sqlOf(ctx), sought);
  const ranks = new Map<number, number>();
  const wanted = slugOf(q);
  for (const [index, doc] of found.docs.entries()) {
    const slug = snapshot.entries[snapshot.byDoc.get(doc) ?? -1]?.slug ?? "";
    const boost = slug === wanted ? EXACT_NAME : wanted !== "" && slug.startsWith(wanted) ? NAME_BEGINS : 0;
    ranks.set(doc, (found.ranks[index] ?? 0) - boost);
  }
  return touch(cache.matches, keyOf(snapshot.revision), { revision: snapshot.revision, ranks });
}

type Cache = { matches: Map<string, Matches>; words: { revision: number; vocabulary: Promise<Vocabulary> } | null };

function cacheFor(ctx: Ctx): Cache {
  const all = processStore("catalog-matches", () => new WeakMap<object, Cache>());
  const cache = all.get(ctx.database) ?? { matches: new Map(), words: null };
  all.set(ctx.database, cache);
  return cache;
}

function vocabularyOf(ctx: Ctx, cache: Cache, revision: number): Promise<Vocabulary> {
  if (cache.words?.revision !== revision)
    cache.words = { revision, vocabulary: listCatalogWords(sqlOf(ctx)).then(createVocabulary) };
  return cache.words.vocabulary;
}

function soughtWord(word: string, vocabulary: Vocabulary): SoughtWord {
  if (isKnownBeginning(word, vocabulary)) return { alternatives: [{ text: word, isPrefix: true }] };
  return { alternatives: correctWord(word, vocabulary).map((text) => ({ text, isPrefix: false })) };
}

/** Moves an entry to the end of the map, and drops what was not used for the longest. */
function touch(matches: Map<string, Matches>, key: string, value: Matches): Matches {
  matches.delete(key);
  matches.set(key, value);
  const [oldest] = matches.keys();
  if (matches.size > KEPT && oldest !== undefined) matches.delete(oldest);
  return value;
}
