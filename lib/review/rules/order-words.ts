import { createHintFinder, type HintFinder, hintsOf } from "../scan/hints";

/** Expressions for text in lower case: English, and nine other languages that only texts with such words are tried on. */
export type Words = { english: RegExp; other: RegExp | null; id: number };

/** The hints of each English expression; null if it can match without one. */
const hintsById: (string[] | null)[] = [];
/** The expressions of each hint, and those without hints. */
let finder: { find: HintFinder; owners: number[][]; free: number[] } | undefined;

/**
 * Builds flat lists of alternatives with bounded gaps, so that they take linear time. Text in lower case is several times
 * faster than the flag `i`.
 */
export function words(english: string[], other: string[] = []): Words {
  const expression = listOf(english, String.raw`\b`);
  const id = hintsById.push(hintsOf(expression.source)) - 1;
  return { english: expression, other: other.length === 0 ? null : listOf(other, NO_LETTER), id };
}

/**
 * A mask, for each expression by its id, of the texts (at most 31, in lower case) that its English part can match in. One pass for all
 * expressions: trying each one took twice the time of judging a page.
 */
export function readWords(texts: readonly string[]): Int32Array {
  finder ??= createFinder();
  const { find, owners, free } = finder;
  const masks = new Int32Array(hintsById.length);
  let bit = 1;
  const take = (hint: number) => {
    for (const id of owners[hint] ?? []) masks[id] = (masks[id] ?? 0) | bit;
  };
  for (const text of texts) {
    find(text, take);
    bit <<= 1;
  }
  for (const id of free) masks[id] = bit - 1;
  return masks;
}

function createFinder(): NonNullable<typeof finder> {
  const hints = [...new Set(hintsById.flatMap((own) => own ?? []))];
  const owners = hints.map((hint) => hintsById.flatMap((own, id) => (own?.includes(hint) ? [id] : [])));
  const free = hintsById.flatMap((own, id) => (own === null ? [id] : []));
  return { find: createHintFinder(hints), owners, free };
}

/** A word that begins with `é` or `ü` has no `\b` before it. */
const NO_LETTER = String.raw`(?<![\wß-öø-ÿąćęłńśźżğışç])`;

function listOf(parts: string[], boundary: string): RegExp {
  const lower = parts.join("|").replace(/\\.|\p{Lu}/gu, (part) => (part.length > 1 ? part : part.toLowerCase()));
  // One test of the word boundary, and not one for each alternative, is faster.
  const all = alternativesOf(lower);
  const bound = all.filter((one) => one.startsWith("\\b")).map((one) => one.slice(2));
  const free = all.filter((one) => !one.startsWith("\\b"));
  return new RegExp([...(bound.length > 0 ? [`${boundary}(?:${bound.join("|")})`] : []), ...free].join("|"), "g");
}

/** Splits an expression at the bars outside of groups and classes. */
function alternativesOf(source: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let inClass = false;
  let start = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (char === "\\") at += 1;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    else if (char === "|" && depth === 0) {
      found.push(source.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, source.slice(start)];
}

/** Without groups, so that the pattern engine makes a tree of them. */
const FOREIGN_WORDS =
  /\b(?:au|auch|aux|benutzer|benutzers|cada|che|chaque|con|dans|das|del|dem|der|di|dos|een|ein|eine|einem|einen|einer|eines|esta|este|het|il|jede|jedem|jeden|jeder|jedes|jest|las|le|les|los|mit|nicht|nie|niet|nutzer|nutzers|oder|ohne|oraz|para|por|que|sans|sem|sich|sin|uma|una|und|une|usuario|utente|utilisateur|zonder)\b|\bwszystk/;
const FOREIGN_LETTERS = /[äöüßáéíóúñçãõêâôàèùışğąćęłńśźż¿¡а-я\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** Whether a text in lower case has words of another language than English. */
export function isForeign(text: string): boolean {
  return FOREIGN_LETTERS.test(text) || FOREIGN_WORDS.test(text);
}
