import type { Hit, Rule } from "../scan/rule";

const CONTROLS = /[\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu;
const RIGHT_TO_LEFT = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;

export const bidiControls: Rule = {
  id: "HID-002",
  version: 1,
  severity: "high",
  title: "Characters that turn the reading direction",
  why: "With these characters a text reads differently from what a program gets.",
  owasp: ["ASI09", "LLM01"],
  decoded: false,
  checkFile: ({ text, path }) => [...find(text), ...(CONTROLS.test(path) ? [{ text: path }] : [])],
};

function find(text: string): Hit[] {
  if (text.search(CONTROLS) === -1) return [];
  const hits: Hit[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    for (const match of line.matchAll(CONTROLS)) {
      // Text in such a script has a use for embeddings and isolates; an override is never needed.
      const needed = RIGHT_TO_LEFT.test(line) && !/[\u{202D}\u{202E}]/u.test(match[0]);
      const start = offset + match.index;
      const shown = line.slice(Math.max(0, match.index - 60), match.index + 60);
      hits.push({ start, end: start + match[0].length, text: shown, ...(needed ? { severity: "info" as const } : {}) });
    }
    offset += line.length + 1;
  }
  return hits;
}
