import { LRUCache } from "lru-cache";
import { storeOf } from "@/lib/core/process-store";
import { listCatalogWords, matchCatalog, type SoughtWord } from "@/lib/db/catalog-index";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import type { Snapshot } from "./snapshot";

/** The words of the catalog in order, how many entries hold each, and the letters of each. */
type Vocabulary = { words: string[]; counts: number[]; letters: Int32Array };

const MAX_WORDS = 12;
const MAX_CORRECTIONS = 20;
const MAX_CONTAINING = 200;

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
  const cache = storeOf(ctx.database, "catalog-matches", createCache);
  const keyOf = (number: number) => `${number} ${words.join(" ")}`;
  const kept = cache.matches.get(keyOf(revision)) ?? cache.matches.get(keyOf(snapshot.revision));
  if (kept) return kept;
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
  const matches = { revision: snapshot.revision, ranks };
  cache.matches.set(keyOf(snapshot.revision), matches);
  return matches;
}

type Cache = {
  matches: LRUCache<string, Matches>;
  words: { revision: number; vocabulary: Promise<Vocabulary> } | null;
};

const createCache = (): Cache => ({ matches: new LRUCache({ max: KEPT }), words: null });

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

/** The words of a search as the index cuts texts: runs of letters and digits, lower case, without accents. */
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

/**
 * What to look for instead of a word that no word of the catalog begins with: words that hold it, then words that are a
 * slip or two away, the nearest and most frequent first. Empty when there are none.
 */
export function correctWord(word: string, { words, counts, letters }: Vocabulary): string[] {
  const length = [...word].length;
  const allowed = length < 4 ? 0 : length < 8 ? 1 : 2;
  const minimum = /^[\p{Script=Latin}\p{N}]+$/u.test(word) ? 3 : 1;
  const wanted = lettersOf(word);
  const containing: string[] = [];
  const near: { word: string; slips: number; count: number }[] = [];
  for (const [index, candidate] of words.entries()) {
    if (length >= minimum && candidate.includes(word)) {
      if (containing.length < MAX_CONTAINING) containing.push(candidate);
      continue;
    }
    if (allowed === 0 || candidate.length < length - allowed) continue;
    // Every letter that the other word does not have at all is a slip: most words are out without being compared.
    if (countBits(wanted & ~(letters[index] ?? 0)) > allowed) continue;
    const slips = editDistance(word, candidate, allowed);
    if (slips <= allowed) near.push({ word: candidate, slips, count: counts[index] ?? 0 });
  }
  if (containing.length > 0) return containing;
  near.sort((a, b) => a.slips - b.slips || b.count - a.count);
  const fewest = near[0]?.slips;
  return near
    .filter(({ slips }) => slips === fewest)
    .map((item) => item.word)
    .slice(0, MAX_CORRECTIONS);
}

/** One bit for each of 31 kinds of letter; several letters of other scripts share one. */
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

/** Whether a word of the catalog is this one or begins with it. */
export function isKnownBeginning(word: string, { words }: Pick<Vocabulary, "words">): boolean {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(words[middle] ?? "", word)) low = middle + 1;
    else high = middle;
  }
  return words[low]?.startsWith(word) ?? false;
}

/** The order of the index, which is that of bytes: by code points, where JavaScript goes by UTF-16 units. */
function isBefore(a: string, b: string): boolean {
  return /[\ud800-\udfff]/.test(a + b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 : a < b;
}

/**
 * Letters to insert, leave out, replace or swap with their neighbour until `word` is a beginning of `candidate`. Stops
 * counting above `limit`. The first letters count fully, so a longer candidate costs nothing at its end only.
 */
export function editDistance(word: string, candidate: string, limit: number): number {
  const width = Math.min(candidate.length, word.length + limit);
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: width + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= width; column += 1) {
      const isSame = word[row - 1] === candidate[column - 1];
      let slips = Math.min(
        (previous[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (previous[column - 1] ?? limit) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && word[row - 1] === candidate[column - 2] && word[row - 2] === candidate[column - 1];
      if (isSwapped) slips = Math.min(slips, (beforePrevious[column - 2] ?? limit) + 1);
      current.push(slips);
      least = Math.min(least, slips);
    }
    if (least > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(...previous);
}
