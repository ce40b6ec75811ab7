import type { Hit, Rule } from "../scan/rule";

const TAGS = /[\u{E0000}-\u{E007F}]+/gu;
/** A flag of a region: a black flag, its code in tags, and the tag that ends it. */
const FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{4,6}\u{E007F}/gu;

export const tagCharacters: Rule = {
  id: "HID-001",
  version: 1,
  severity: "critical",
  title: "Tag characters",
  why: "These characters are invisible to people, and agents read them as ordinary letters.",
  owasp: ["ASI01", "LLM01"],
  decoded: false,
  checkFile: ({ text, path }) => [...find(text), ...find(path).map(({ text: shown }) => ({ text: shown }))],
};

function find(text: string): Hit[] {
  if (!/[\u{E0000}-\u{E007F}]/u.test(text)) return [];
  const bare = text.replace(FLAG, (flag) => "x".repeat(flag.length));
  return [...bare.matchAll(TAGS)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: `${match[0].length / 2} tag characters: "${decode(match[0])}"`,
  }));
}

function decode(tags: string): string {
  const points = [...tags].map((char) => (char.codePointAt(0) ?? 0) - 0xe0000);
  return points.map((point) => (point >= 32 && point < 127 ? String.fromCharCode(point) : "")).join("");
}
