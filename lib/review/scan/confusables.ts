const LOOKALIKES: Record<string, string> = {
  а: "a",
  в: "b",
  е: "e",
  к: "k",
  м: "m",
  н: "h",
  о: "o",
  р: "p",
  с: "c",
  т: "t",
  у: "y",
  х: "x",
  і: "i",
  ј: "j",
  ѕ: "s",
  ԁ: "d",
  ԛ: "q",
  ԝ: "w",
  һ: "h",
  ӏ: "l",
  ё: "e",
  ї: "i",
  г: "r",
  п: "n",
  ь: "b",
  ս: "u",
  օ: "o",
  ո: "n",
  ց: "g",
  А: "A",
  В: "B",
  Е: "E",
  К: "K",
  М: "M",
  Н: "H",
  О: "O",
  Р: "P",
  С: "C",
  Т: "T",
  У: "Y",
  Х: "X",
  І: "I",
  Ј: "J",
  Ѕ: "S",
  α: "a",
  β: "b",
  ε: "e",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
  γ: "y",
  ω: "w",
  η: "n",
  ϲ: "c",
  Α: "A",
  Β: "B",
  Ε: "E",
  Ζ: "Z",
  Η: "H",
  Ι: "I",
  Κ: "K",
  Μ: "M",
  Ν: "N",
  Ο: "O",
  Ρ: "P",
  Τ: "T",
  Υ: "Y",
  Χ: "X",
};

/**
 * A word in the Latin letters that it looks like, when it mixes Latin with Cyrillic, Greek or Armenian letters or is written
 * in full-width or mathematical ones; any other word as it is.
 */
export function foldWord(word: string): string {
  const plain = /[\u{FF01}-\u{FF5E}\u{1D400}-\u{1D7FF}\u{24B6}-\u{24E9}]/u.test(word) ? word.normalize("NFKC") : word;
  if (!isMixed(plain)) return plain;
  return plain.replace(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu, (letter) => LOOKALIKES[letter] ?? letter);
}

/** Whether a word has Latin letters next to letters of a script with lookalikes of them. */
export function isMixed(word: string): boolean {
  return /[a-zA-Z]/.test(word) && /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/u.test(word);
}

/** Whether every letter from beyond Latin in a word looks like a Latin one. */
export function isLookalike(word: string): boolean {
  const foreign = word.match(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu) ?? [];
  return foreign.length > 0 && foreign.every((letter) => LOOKALIKES[letter] !== undefined);
}
