/** Letters of Cyrillic, Armenian and Greek, each before the Latin one that it looks like. */
const PAIRS = `аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ёe їi гr пn ьb սu օo ոn ցg АA ВB ЕE КK МM НH ОO РP
  СC ТT УY ХX ІI ЈJ ЅS αa βb εe ιi κk νv οo ρp τt υu χx γy ωw ηn ϲc ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX`;
const LOOKALIKES = new Map(PAIRS.split(/\s+/).map(([letter = "", latin = ""]) => [letter, latin]));

/**
 * A word in the Latin letters that it looks like, when it mixes Latin with Cyrillic, Greek or Armenian letters or is written
 * in full-width or mathematical ones; any other word as it is.
 */
export function foldWord(word: string): string {
  const plain = /[\u{FF01}-\u{FF5E}\u{1D400}-\u{1D7FF}\u{24B6}-\u{24E9}]/u.test(word) ? word.normalize("NFKC") : word;
  if (!isMixed(plain)) return plain;
  return plain.replace(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** Whether a word has Latin letters next to letters of a script with lookalikes of them. */
export function isMixed(word: string): boolean {
  return /[a-zA-Z]/.test(word) && /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/u.test(word);
}

/** Whether every letter from beyond Latin in a word looks like a Latin one. */
export function isLookalike(word: string): boolean {
  const foreign = word.match(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu) ?? [];
  return foreign.length > 0 && foreign.every((letter) => LOOKALIKES.has(letter));
}
