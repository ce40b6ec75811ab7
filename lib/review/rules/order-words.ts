/**
 * Expressions for text in lower case: English, and nine other languages that only texts with such words are tried on. Each
 * sentence with a match of the English one has a match of `first`, which is faster.
 */
export type Words = { english: RegExp; other: RegExp | null; first?: RegExp };

/**
 * Builds flat lists of alternatives with bounded gaps, so that they take linear time. Text in lower case is several times
 * faster than the flag `i`.
 */
export function words(english: string[], other: string[] = [], first?: RegExp): Words {
  return { english: listOf(english), other: other.length === 0 ? null : listOf(other), ...(first && { first }) };
}

function listOf(parts: string[]): RegExp {
  const lower = parts.join("|").replace(/\\.|\p{Lu}/gu, (part) => (part.length > 1 ? part : part.toLowerCase()));
  // One test of the word boundary, and not one for each alternative, is faster.
  const all = alternativesOf(lower);
  const bound = all.filter((one) => one.startsWith("\\b")).map((one) => one.slice(2));
  const free = all.filter((one) => !one.startsWith("\\b"));
  return new RegExp([...(bound.length > 0 ? [`\\b(?:${bound.join("|")})`] : []), ...free].join("|"), "g");
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

/** Whether a text in lower case has words of another language than English. */
export function isForeign(text: string): boolean {
  return /[äöüßáéíóúñçãõêâôàèùışğąćęłńśźż¿¡а-я\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|\b(?:nicht|oder|und|der|auch|ohne|sich|este|esta|cada|sin|sem|sans|chaque|das|dem|mit|ein|eine[mnrs]?|jede[mnrs]?|nutzers?|benutzers?|que|para|los|las|del|una|con|por|usuario|niet|het|een|zonder|wszystk\w+|nie|jest|oraz|les?|une|aux?|dans|utilisateur|uma|dos|il|di|che|utente)\b/.test(
    text,
  );
}
