import { LRUCache } from "lru-cache";
import { storeOf } from "@/lib/core/process-store";
import { listCatalogWords, matchCatalog, type SoughtWord } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import type { Snapshot } from "./snapshot";

type Vocabulary = { words: string[]; counts: number[]; letters: Int32Array };

const MAX_WORDS = 12;
const MAX_CORRECTIONS = 20;
const MAX_CONTAINING = 200;

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

export function createVocabulary({ words, counts }: { words: string[]; counts: number[] }): Vocabulary {
  return { words, counts, letters: Int32Array.from(words, lettersOf) };
}

/** Splits a search as the index does: runs of letters and digits, in lower case, without accents. */
export function wordsOf(query: string): string[] {
  const found = query.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  return [...new Set(found.map(foldAccents))].slice(0, MAX_WORDS);
}

function foldAccents(word: string): string {
  return word
    .normalize("NFD")
    .replace(/([\p{Script=Latin}])\p{M}+/gu, "$1")
    .normalize("NFC");
}

/** Suggests words for one without matches: words that contain it, else the nearest within two typing errors. */
export function correctWord(word: string, { words, counts, letters }: Vocabulary): string[] {
  const length = [...word].length;
  const allowed = length < 4 ? 0 : length < 8 ? 1 : 2;
  const minimum = /^[\p{Script=Latin}\p{N}]+$/u.test(word) ? 3 : 1;
  const wanted = lettersOf(word);
  const containing: string[] = [];
  const near: { word: string; edits: number; count: number }[] = [];
  for (const [index, candidate] of words.entries()) {
    if (length >= minimum && candidate.includes(word)) {
      if (containing.length < MAX_CONTAINING) containing.push(candidate);
      continue;
    }
    if (allowed === 0 || candidate.length < length - allowed) continue;
    // A letter that the other word lacks costs an edit, so this skips most words without comparing them.
    if (countBits(wanted & ~(letters[index] ?? 0)) > allowed) continue;
    const edits = editDistance(word, candidate, allowed);
    if (edits <= allowed) near.push({ word: candidate, edits, count: counts[index] ?? 0 });
  }
  if (containing.length > 0) return containing;
  near.sort((a, b) => a.edits - b.edits || b.count - a.count);
  const fewest = near[0]?.edits;
  return near
    .filter(({ edits }) => edits === fewest)
    .map((item) => item.word)
    .slice(0, MAX_CORRECTIONS);
}

/** A bit set of the letters (char code modulo 31); letters of other scripts share bits. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index += 1) bits |= 1 << (word.charCodeAt(index) % 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
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

/** Edit distance (with swaps) between `word` and the best prefix of `candidate`. Stops counting above `limit`. */
export function editDistance(word: string, candidate: string, limit: number): number {
  const width = Math.min(candidate.length, word.length + limit);
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: width + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= width; column += 1) {
      const isSame = word[row - 1] === candidate[column - 1];
      let edits = Math.min(
        (previous[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (previous[column - 1] ?? limit) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && word[row - 1] === candidate[column - 2] && word[row - 2] === candidate[column - 1];
      if (isSwapped) edits = Math.min(edits, (beforePrevious[column - 2] ?? limit) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(...previous);
}
