/** Distinct words in which typed words are sought, with how often each occurs and a bit set of its letters. */
export type Vocabulary = { words: string[]; counts: number[]; letters: Int32Array };

const MAX_WORDS = 12;
const MAX_CORRECTIONS = 20;
const MAX_CONTAINING = 200;

/** The vocabulary of these words; `counts` are in the same order. */
export function createVocabulary({ words, counts }: { words: string[]; counts: number[] }): Vocabulary {
  return { words, counts, letters: Int32Array.from(words, lettersOf) };
}

/** Splits a search as the index does: distinct runs of letters and digits, in lower case, without accents. */
export function wordsOf(query: string, limit = MAX_WORDS): string[] {
  const found = query.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  return [...new Set(found.map(foldAccents))].slice(0, limit);
}

function foldAccents(word: string): string {
  return word
    .normalize("NFD")
    .replace(/([\p{Script=Latin}])\p{M}+/gu, "$1")
    .normalize("NFC");
}

/** Typing errors that are forgiven in a word of this many letters. */
function allowedEdits(length: number): number {
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

/** Suggests words for one without matches: words that contain it, else the nearest within two typing errors. */
export function correctWord(word: string, { words, counts, letters }: Vocabulary): string[] {
  const length = [...word].length;
  const allowed = allowedEdits(length);
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

/**
 * How well a text answers what was typed, for short lists: 1 when each typed word begins a word of the text, 0.5 when a
 * word only occurs inside one or has a typing error, 0 without a match.
 */
export function scoreText(typed: string, text: string): 0 | 0.5 | 1 {
  const words = wordsOf(text, Number.POSITIVE_INFINITY);
  let score: 0 | 0.5 | 1 = 1;
  for (const sought of wordsOf(typed)) {
    if (words.some((word) => word.startsWith(sought))) continue;
    const allowed = allowedEdits([...sought].length);
    const isNear = words.some((word) => word.includes(sought) || editDistance(sought, word, allowed) <= allowed);
    if (!isNear) return 0;
    score = 0.5;
  }
  return score;
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
