/** Cyrillic, Armenian and Greek letters, each followed by the Latin letter that it resembles. */
const PAIRS = `аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ёe їi гr пn ьb սu օo ոn ցg АA ВB ЕE КK МM НH ОO РP
  СC ТT УY ХX ІI ЈJ ЅS αa βb εe ιi κk νv οo ρp τt υu χx γy ωw ηn ϲc ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX`;
const LOOKALIKES = new Map(PAIRS.split(/\s+/).map(([letter = "", latin = ""]) => [letter, latin]));

/** Replaces Latin lookalikes in words that mix scripts or use full-width or mathematical letters. */
export function foldWord(word: string): string {
  const plain = /[\u{FF01}-\u{FF5E}\u{1D400}-\u{1D7FF}\u{24B6}-\u{24E9}]/u.test(word) ? word.normalize("NFKC") : word;
  if (!isMixed(plain)) return plain;
  return plain.replace(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** Whether a word mixes Latin letters with a script that has Latin lookalikes. */
export function isMixed(word: string): boolean {
  return /[a-zA-Z]/.test(word) && /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/u.test(word);
}

/** Whether every non-Latin letter of a word resembles a Latin one. */
export function isLookalike(word: string): boolean {
  const foreign = word.match(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu) ?? [];
  return foreign.length > 0 && foreign.every((letter) => LOOKALIKES.has(letter));
}
