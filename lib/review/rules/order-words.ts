import { createHintFinder, type HintFinder, hintsOf } from "../scan/hints";

/** Expressions for text in lower case: English, and ten other languages by their script, which only texts in it are tried on. */
export type Words = { english: RegExp; id: number; others: readonly Abroad[] };
type Abroad = { script: Script; expression: RegExp; id: number };

/** Bits, for the scripts of a text together. */
export type Script = 1 | 2 | 4;
const ENGLISH = 0;
const LATIN = 1;
const CYRILLIC = 2;
const EAST = 4;

/** What each expression needs, by its id; `hints` are null if it can match without one. */
const needs: { script: Script | typeof ENGLISH; hints: string[] | null }[] = [];
/** For the expressions of one script: those of each hint, and those without hints. */
type Finder = { find: HintFinder; owners: number[][]; free: number[] };
const finders = new Map<Script | typeof ENGLISH, Finder>();
/** Beginnings of hints are enough where whole ones, of hundreds of letters, would make tables of tens of megabytes. */
const HINT_LETTERS = { [ENGLISH]: 60, [LATIN]: 8, [CYRILLIC]: 8, [EAST]: 2 };

/**
 * Builds flat lists of alternatives with bounded gaps, so that they take linear time. Text in lower case is several times
 * faster than the flag `i`.
 */
export function words(english: string[], other: string[] = []): Words {
  const expression = listOf(english, String.raw`\b`);
  return { english: expression, id: addNeeds(ENGLISH, expression), others: byScript(other) };
}

function addNeeds(script: Script | typeof ENGLISH, { source }: RegExp): number {
  const letters = HINT_LETTERS[script];
  const hints = hintsOf(source, "any")?.map((hint) => hint.slice(0, letters)) ?? null;
  return needs.push({ script, hints: hints && [...new Set(hints)] }) - 1;
}

/** Expressions of other languages by the scripts of their words. */
export function byScript(parts: string[]): Abroad[] {
  const all = parts.flatMap(alternativesOf);
  return ([LATIN, CYRILLIC, EAST] as const).flatMap((script) => {
    const list = all.filter((one) => scriptsIn(one) & script);
    if (list.length === 0) return [];
    const expression = listOf(list, NO_LETTER);
    return [{ script, expression, id: addNeeds(script, expression) }];
  });
}

/** All expressions, for texts of which the script is not known. */
export function expressionsOf({ english, others }: Words): RegExp[] {
  return [english, ...others.map(({ expression }) => expression)];
}

/** The scripts of the words of an alternative, which may have some of each. */
function scriptsIn(alternative: string): number {
  const east = EAST_LETTERS.test(alternative) ? EAST : 0;
  const cyrillic = CYRILLIC_LETTERS.test(alternative) ? CYRILLIC : 0;
  const latin = /[a-zà-ÿąćęłńśźżğış]{3}/i.test(alternative.replace(/\\./g, " ")) ? LATIN : 0;
  return east | cyrillic | latin || LATIN;
}

/**
 * A mask, for each expression by its id, of the texts (at most 31, in lower case) that it can match in; 0 for those of
 * other scripts than `scripts`. One pass for all expressions of a script: trying each one took twice the time of judging
 * an English page, and four times that of another.
 */
export function readWords(texts: readonly string[], scripts: number): Int32Array {
  const masks = new Int32Array(needs.length);
  for (const script of [ENGLISH, LATIN, CYRILLIC, EAST] as const) {
    if (script !== ENGLISH && (scripts & script) === 0) continue;
    const { find, owners, free } = finderOf(script);
    let bit = 1;
    const take = (hint: number) => {
      for (const id of owners[hint] ?? []) masks[id] = (masks[id] ?? 0) | bit;
    };
    for (const text of texts) {
      find(text, take);
      bit <<= 1;
    }
    for (const id of free) masks[id] = bit - 1;
  }
  return masks;
}

function finderOf(script: Script | typeof ENGLISH): Finder {
  const known = finders.get(script);
  if (known !== undefined) return known;
  const own = needs.flatMap((one, id) => (one.script === script ? [{ id, hints: one.hints }] : []));
  const hints = [...new Set(own.flatMap((one) => one.hints ?? []))];
  const owners = hints.map((hint) => own.flatMap((one) => (one.hints?.includes(hint) ? [one.id] : [])));
  const free = own.flatMap((one) => (one.hints === null ? [one.id] : []));
  const finder = { find: createHintFinder(hints), owners, free };
  finders.set(script, finder);
  return finder;
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

/** Words that hardly stand in an English text. Without groups, so that the pattern engine makes a tree of them. */
const FOREIGN_WORDS =
  /\b(?:auch|avec|benutzer|benutzers|bez|cada|chaque|cuando|dans|della|delle|dem|een|eine|einem|einen|einer|eines|elke|gli|het|jede|jedem|jeden|jeder|jedes|jest|nicht|nie|niet|nutzer|nutzers|oder|ogni|ohne|oppure|oraz|para|pero|por|przez|quando|que|sans|sem|senza|sich|sobre|todas|todos|toujours|tous|toutes|uma|und|usuario|utente|utilisateur|voor|vous|wenn|zonder)\b|\bwszystk/;
/** Words of which one alone may be a name or an abbreviation: the MIT license, Los Angeles. */
const DOUBTFUL_WORDS =
  /\b(?:al|alle|au|aux|bei|che|con|das|del|der|di|die|dos|ein|el|en|es|esta|este|et|il|la|las|le|les|lo|los|mit|non|nur|per|pour|se|sin|su|un|una|une)\b/g;
const FOREIGN_LETTERS = /[äöüßáéíóúñçãõêâôàèùışğąćęłńśźż¿¡]/;
const CYRILLIC_LETTERS = /[а-яё]/i;
const EAST_LETTERS = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** The scripts in which a text in lower case has words of another language than English; 0 if none. */
export function foreignScripts(text: string): number {
  const isAscii = !/[^\0-\x7f]/.test(text);
  const latin = FOREIGN_WORDS.test(text) || (!isAscii && FOREIGN_LETTERS.test(text)) || hasDoubtfulWords(text);
  if (isAscii) return latin ? LATIN : 0;
  return (latin ? LATIN : 0) | (CYRILLIC_LETTERS.test(text) ? CYRILLIC : 0) | (EAST_LETTERS.test(text) ? EAST : 0);
}

function hasDoubtfulWords(text: string): boolean {
  let first: string | undefined;
  for (const [word] of text.matchAll(DOUBTFUL_WORDS)) {
    first ??= word;
    if (word !== first) return true;
  }
  return false;
}

/** Whether a match counts, with the text that it is in. */
export type Test = (match: RegExpExecArray, text: string) => boolean;

/** `never reveal that …` hides a deed; it forbids none. */
const NEGATED =
  /(?:\b(?:never|not|don['’]?t|cannot|can['’]t|mustn['’]t|avoid|nunca|niemals|nie|jamais|никогда|nothing (?:about|of|from))\b(?<!\b(?:if|where|when) (?:you|they|there|it|one) (?:is |are |do |does )?(?:not|don['’]?t|cannot|can['’]t))(?! (?:reveal|tell|mention|disclose|inform|report|show|list|announce))(?:(?! and )[^.\n:;]){0,40}|(?<!\S)(?:no|não|non|ne|не|nem|ni|keine?|nicht) (?:se |lo |la |les? |los |o |a |lhe )?|\bn['’]|(?:不要|勿|不得|不能|禁止|切勿|别|请勿)[^。，\n]{0,12})$/;
const NEGATED_AFTER =
  /^(?:\w{0,4}(?:(?! (?:und|et|y|e) )[^.\n,;]){0,40}\b(?:niemals|nie|nicht|keine[nrs]?|jamais|pas|aucune?)\b|(?:し|さ|ら)?(?:ないで|てはいけ|てはなら|ません|ないこと|せず)|(?:하|내)?지 ?(?:마|말|않))/;

/** Whether a match is an order, and no prohibition. */
export function isOrdered(match: RegExpExecArray, text: string): boolean {
  const start = match.index;
  if (NEGATED.test(text.slice(Math.max(0, start - 60), start))) return false;
  return !NEGATED_AFTER.test(text.slice(start + match[0].length, start + match[0].length + 60));
}

/** `matchAll` would compile the long expression anew for each text. */
export function hasMatch(pattern: RegExp, text: string, test: Test): boolean {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (test(match, text)) return true;
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return false;
}

/** A unit and those beside it. */
export function near(mask: number): number {
  return mask | (mask << 1) | (mask >>> 1);
}

export function lowestOf(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}
