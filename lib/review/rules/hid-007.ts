import type { Hit, Rule } from "../scan/rule";

const MAX_BLANK_LINES = 40;
const MAX_SPACES = 500;

export const hugeGap: Rule = {
  id: "HID-007",
  version: 1,
  severity: "medium",
  title: "Text far beyond a gap",
  why: "More than 40 empty lines or 500 spaces put what follows out of sight.",
  owasp: ["ASI09"],
  decoded: false,
  applies: ({ kind }) => kind === "prose" || kind === "script" || kind === "config",
  checkFile: ({ text }) => [...findGaps(text)],
};

function* findGaps(text: string): Generator<Hit> {
  let blank = 0;
  let offset = 0;
  for (const line of text.split("\n")) {
    const content = line.trim();
    if (content === "") blank += 1;
    else {
      if (blank > MAX_BLANK_LINES) yield hit(offset, line, `${blank} empty lines before: ${content}`);
      blank = 0;
      const gap = line.length > MAX_SPACES ? /[ \t\u00A0]{500,}(?=\S)/.exec(line) : null;
      if (gap !== null) {
        const after = line.slice(gap.index + gap[0].length);
        yield hit(offset + gap.index, gap[0], `${gap[0].length} spaces before: ${after}`);
      }
    }
    offset += line.length + 1;
  }
}

function hit(start: number, { length }: string, text: string): Hit {
  return { start, end: start + length, text };
}
