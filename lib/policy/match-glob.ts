/** Globs beyond these limits are unreadable. */
const MAX_ALTERNATIVES = 100;
const MAX_GLOB_CHARS = 1_000;

type Part =
  | { kind: "star" }
  | { kind: "one" }
  | { kind: "letter"; letter: string }
  | { kind: "set"; negated: boolean; ranges: [string, string][] };

/**
 * Whether a text matches a whole glob, ignoring case; null for an unreadable glob (empty, over 1,000 characters, or over 100
 * alternatives). `*` matches any characters, `?` one, `[a-z]` a set, `[!a-z]` its complement, `{a,b}` either; a backslash
 * escapes. Unclosed brackets and braces are literal. Time is bounded by the product of both lengths for each alternative.
 */
export function matchGlob(glob: string, text: string): boolean | null {
  if (glob === "" || glob.length > MAX_GLOB_CHARS) return null;
  const alternatives = expandBraces(glob);
  if (alternatives === null) return null;
  const letters = [...text.toLowerCase()];
  return alternatives.some((alternative) => matchParts(readParts(alternative), letters));
}

/** Expands `a{b,c}d` to `abd` and `acd`, also nested. Braces without an end or a comma are literal. */
function expandBraces(glob: string): string[] | null {
  let done: string[] = [];
  let open = [glob];
  while (open.length > 0) {
    const next: string[] = [];
    for (const text of open) {
      const choices = splitFirstBraces(text);
      if (choices === null) done = [...done, text];
      else next.push(...choices);
    }
    if (done.length + next.length > MAX_ALTERNATIVES) return null;
    open = next;
  }
  return done;
}

function splitFirstBraces(glob: string): string[] | null {
  for (let start = 0; start < glob.length; start = skip(glob, start)) {
    if (glob[start] !== "{") continue;
    const found = readBraces(glob, start);
    if (found === null) continue;
    return found.choices.map((choice) => glob.slice(0, start) + choice + glob.slice(found.end));
  }
  return null;
}

function readBraces(glob: string, start: number): { choices: string[]; end: number } | null {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at = skip(glob, at)) {
    const letter = glob[at];
    if (letter === "{") depth += 1;
    if (letter === "}") depth -= 1;
    const isEnd = letter === "}" && depth === 0;
    if (isEnd || (letter === "," && depth === 1)) {
      choices.push(glob.slice(from, at));
      from = at + 1;
    }
    if (isEnd) return choices.length > 1 ? { choices, end: at + 1 } : null;
  }
  return null;
}

/** The position after the character, escape sequence or set at `at`. */
function skip(glob: string, at: number): number {
  if (glob[at] === "\\") return at + 2;
  return glob[at] === "[" ? (readSet(glob, at)?.end ?? at + 1) : at + 1;
}

function readParts(glob: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < glob.length; ) {
    const set = glob[at] === "[" ? readSet(glob, at) : null;
    if (set !== null) {
      parts.push(set.part);
      at = set.end;
      continue;
    }
    const isEscaped = glob[at] === "\\" && at + 1 < glob.length;
    const letter = String.fromCodePoint(glob.codePointAt(isEscaped ? at + 1 : at) ?? 0);
    if (letter === "*" && !isEscaped) parts.push({ kind: "star" });
    else if (letter === "?" && !isEscaped) parts.push({ kind: "one" });
    else parts.push(...[...letter.toLowerCase()].map((lower): Part => ({ kind: "letter", letter: lower })));
    at += letter.length + (isEscaped ? 1 : 0);
  }
  return parts;
}

/** The set that begins at `start`; null when it has no end. A leading `]` is a member. */
function readSet(glob: string, start: number): { part: Part; end: number } | null {
  const negated = glob[start + 1] === "!" || glob[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const end = glob.indexOf("]", first + 1);
  if (end === -1) return null;
  const letters = [...glob.slice(first, end).toLowerCase()];
  const ranges: [string, string][] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const [from = "", to = ""] = [letters[at], letters[at + 1] === "-" ? letters[at + 2] : letters[at]];
    ranges.push([from, to === "" ? from : to]);
    if (to !== "" && letters[at + 1] === "-") at += 2;
  }
  return { part: { kind: "set", negated, ranges }, end: end + 1 };
}

/** Backtracks to the last star only: text before it has matched already. */
function matchParts(parts: Part[], letters: string[]): boolean {
  let [part, at] = [0, 0];
  let [star, starAt] = [-1, 0];
  while (at < letters.length) {
    const current = parts[part];
    if (current?.kind === "star") {
      star = part;
      starAt = at;
      part += 1;
    } else if (current !== undefined && matchesPart(current, letters[at] ?? "")) {
      part += 1;
      at += 1;
    } else if (star !== -1) {
      part = star + 1;
      starAt += 1;
      at = starAt;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(({ kind }) => kind === "star");
}

function matchesPart(part: Part, letter: string): boolean {
  if (part.kind === "one") return true;
  if (part.kind === "letter") return part.letter === letter;
  if (part.kind === "star") return false;
  return part.ranges.some(([from, to]) => from <= letter && letter <= to) !== part.negated;
}
