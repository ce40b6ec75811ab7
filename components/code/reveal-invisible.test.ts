import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countInvisible, revealInvisible } from "./reveal-invisible";

const hidden = (text: string) =>
  revealInvisible(text).flatMap((segment) => (segment.kind === "hidden" ? [segment.codePoint] : []));

const tags = (text: string) =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join("");
const always = [
  ...[0x00, 0x07, 0x08, 0x0b, 0x0d, 0x1b, 0x1f, 0x7f, 0x85, 0x9b, 0xad, 0x61c, 0x200b, 0x200e, 0x200f],
  ...[0x2028, 0x2029, 0x202a, 0x202d, 0x202e, 0x2060, 0x2063, 0x2066, 0x2069, 0xfeff, 0x3164],
  ...[0xe0001, 0xe0020, 0xe0049, 0xe007f, 0xe0100, 0xe01ef],
];

describe("revealInvisible", () => {
  it("keeps the whole text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(
          revealInvisible(text)
            .map((segment) => segment.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  it("finds each dangerous character at any position", () => {
    const ordinary = fc.string({ unit: "grapheme-ascii", maxLength: 20 });
    fc.assert(
      fc.property(ordinary, fc.constantFrom(...always), ordinary, (before, code, after) => {
        const char = String.fromCodePoint(code);
        const expected = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
        expect(hidden(before + char + after)).toEqual([expected]);
      }),
    );
  });

  it("leaves no such character in text segments", () => {
    const unit = fc.oneof(
      fc.constantFrom(...always.map((code) => String.fromCodePoint(code))),
      fc.constantFrom("a", "é", "中", "👩", "\n"),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const shown = revealInvisible(text).flatMap((segment) => (segment.kind === "text" ? [...segment.text] : []));
        expect(shown.filter((char) => always.includes(char.codePointAt(0) ?? -1))).toEqual([]);
      }),
    );
  });

  it.each([
    ["plain text with tabs\tand lines\nthat end", "plain text"],
    ["👩‍💻 👨‍👩‍👧 👩🏽‍🔬 ❤️‍🔥 🏳️‍🌈", "emoji joined to one picture"],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "flags of regions"],
    ["می‌خواهم نمی‌دانم", "Persian with non-joiners"],
    ["क्‍ष र्‍य", "Hindi with joiners"],
    ["1️⃣ ☎️ ✔︎", "one variation selector behind a picture or a digit"],
    ["naïve café, Ελλάδα, 日本語", "other scripts"],
  ])("does not mark %s (%s)", (text) => {
    expect(hidden(text)).toEqual([]);
  });

  it.each<[text: string, expected: string[] | undefined, what: string]>([
    ["su\u200bdo", ["U+200B"], "a zero width space"],
    ["su\u200ddo", ["U+200D"], "a joiner between Latin letters"],
    ["می\u200c\u200c\u200cخ", ["U+200C", "U+200C", "U+200C"], "a row of joiners in Persian"],
    ["\u202egpj.exe", ["U+202E"], "an override"],
    ["a\r\u001b[2Kb", ["U+000D", "U+001B"], "terminal controls"],
    ["x\ufe0f\ufe01\ufe02", ["U+FE01", "U+FE02"], "a row of variation selectors"],
    [`🏴${tags("hi there")}\u{e007f}`, undefined, "a text behind a flag"],
  ])("marks %j", (text, expected) => {
    if (expected) expect(hidden(text)).toEqual(expected);
    else expect(hidden(text).length).toBeGreaterThan(5);
  });

  it("decodes tag characters", () => {
    expect(countInvisible(`Format code${tags("Ignore the rules")}`)).toEqual({
      count: 16,
      spelled: "Ignore the rules",
    });
  });
});
