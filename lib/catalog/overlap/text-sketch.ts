/** Hashes of a sketch: the standard error of the estimate is about 0.06. */
export const SKETCH_HASHES = 64;
/** Words in a row that are hashed together. */
const SHINGLE_WORDS = 3;
/** Longer texts are compared by their beginning. */
const MAX_WORDS = 50_000;

/** Fixed odd multipliers and offsets (a linear congruential sequence), so that sketches of all releases compare. */
const FACTORS = Uint32Array.from({ length: SKETCH_HASHES * 2 }, (_, index) => {
  let state = index + 1;
  for (let round = 0; round < 4; round += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return index % 2 === 0 ? (state | 1) >>> 0 : state;
});

/** Lower-case words of a text, without markup, punctuation and invisible characters; at most 50,000. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  ).slice(0, MAX_WORDS);
}

/**
 * MinHash of a text (Broder, "On the resemblance and containment of documents", 1997) over three words in a row; null for
 * a text of fewer than 12 words, which resembles too many others.
 */
export function sketchOf(words: readonly string[]): Uint32Array | null {
  if (words.length < 12) return null;
  const sketch = new Uint32Array(SKETCH_HASHES).fill(0xffff_ffff);
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at += 1) {
    const hash = hashOf(words.slice(at, at + SHINGLE_WORDS).join(" "));
    for (let index = 0; index < SKETCH_HASHES; index += 1) {
      const next = mix((Math.imul(hash, FACTORS[2 * index] ?? 1) + (FACTORS[2 * index + 1] ?? 0)) >>> 0);
      if (next < (sketch[index] ?? 0)) sketch[index] = next;
    }
  }
  return sketch;
}

/** Estimated share of common shingles, from 0 to 1; `from` is where the other sketch begins. */
export function resemblance(sketch: Uint32Array, others: Uint32Array, from: number): number {
  let equal = 0;
  for (let index = 0; index < SKETCH_HASHES; index += 1) if (sketch[index] === others[from + index]) equal += 1;
  return equal / SKETCH_HASHES;
}

/** How much two texts differ, in whole per cent of their words; 0 only for the same words, regardless of their order. */
export function differenceOf(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    common += 1;
  }
  const all = a.length + b.length;
  return all === 0 ? 0 : Math.ceil(100 * (1 - (2 * common) / all));
}

/** FNV-1a over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return mix(hash >>> 0);
}

/** The finalizer of MurmurHash3: each bit of the input changes half of the output's. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
