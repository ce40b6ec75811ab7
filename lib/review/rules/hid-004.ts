import type { Rule } from "../scan/rule";

const SELECTORS =
  /[\u{FE00}-\u{FE0F}]{3,}|[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*[\u{E0100}-\u{E01EF}][\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*/gu;

export const variationSelectors: Rule = {
  id: "HID-004",
  version: 1,
  severity: "high",
  title: "Rows of variation selectors",
  why: "Rows of these invisible characters carry bytes that a script can decode and run.",
  owasp: ["ASI01", "ASI05", "LLM01"],
  decoded: false,
  checkFile: ({ text }) =>
    text.search(SELECTORS) === -1
      ? []
      : [...text.matchAll(SELECTORS)]
          // One behind a Chinese character chooses its form.
          .filter(
            ({ 0: run, index }) =>
              [...run].length > 1 || !/\p{sc=Han}$/u.test(text.slice(Math.max(0, index - 2), index)),
          )
          .map(({ 0: run, index }) => ({
            start: index,
            end: index + run.length,
            text: `${[...run].length} variation selectors: ${run}`,
          })),
};
