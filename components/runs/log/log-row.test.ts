import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainStyle } from "./ansi";
import { markPieces } from "./log-row";

const bold = { ...plainStyle, bold: true };

describe("markPieces", () => {
  it("splits a hit that spans two styles", () => {
    const pieces = [
      { text: "one tw", style: plainStyle },
      { text: "o three", style: bold },
    ];
    expect(markPieces(pieces, [{ start: 4, end: 7, place: 3 }])).toEqual([
      { text: "one ", style: plainStyle, at: 0, hit: null },
      { text: "tw", style: plainStyle, at: 4, hit: 3 },
      { text: "o", style: bold, at: 6, hit: 3 },
      { text: " three", style: bold, at: 7, hit: null },
    ]);
  });

  it("keeps every character", () => {
    const text = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.array(fc.nat(3), { maxLength: 8 }), (texts, steps) => {
        const whole = texts.join("");
        let at = 0;
        const hits = steps.flatMap((step, place) => {
          const start = at + step;
          at = start + 2;
          return at <= whole.length ? [{ start, end: at, place }] : [];
        });
        const parts = markPieces(
          texts.map((piece) => ({ text: piece, style: plainStyle })),
          hits,
        );
        expect(parts.map((part) => part.text).join("")).toBe(whole);
        const marked = hits.map(({ start, end }) => whole.slice(start, end)).join("");
        expect(
          parts
            .filter((part) => part.hit !== null)
            .map((part) => part.text)
            .join(""),
        ).toBe(marked);
      }),
    );
  });
});
