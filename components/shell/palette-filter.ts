/**
 * How well an entry fits what was typed, 0 for not at all. By the starts of words, not by scattered letters: "csv" must
 * not find "account, tokens and this server".
 */
export function scorePaletteEntry(value: string, typed: string, keywords: readonly string[] = []): number {
  const wanted = typed.trim().toLowerCase();
  const name = value.toLowerCase();
  if (name.startsWith(wanted)) return 1;
  if (startsSomeWord(name, wanted)) return 0.8;
  if (name.includes(wanted)) return 0.6;
  const words = wanted.split(/\s+/);
  const everything = [name, ...keywords.map((keyword) => keyword.toLowerCase())].join(" ");
  return words.every((word) => startsSomeWord(everything, word)) ? 0.4 : 0;
}

function startsSomeWord(text: string, start: string): boolean {
  return text.split(/[\s\-_.:,]+/).some((word) => word.startsWith(start));
}
