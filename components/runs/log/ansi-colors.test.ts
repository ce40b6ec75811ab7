import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnsiColor, type AnsiStyle, plainStyle } from "./ansi";
import { contrast, cssOfAnsi, logBackgrounds, resolveAnsi } from "./log-row";

const byte = fc.integer({ min: 0, max: 255 });
const color: fc.Arbitrary<AnsiColor | null> = fc.oneof(
  fc.constant(null),
  byte.map((index): AnsiColor => ({ kind: "indexed", index })),
  fc.tuple(byte, byte, byte).map((rgb): AnsiColor => ({ kind: "rgb", rgb })),
);
const style: fc.Arbitrary<AnsiStyle> = fc
  .tuple(color, color, fc.boolean())
  .map(([text, background, inverse]) => ({ ...plainStyle, color: text, background, inverse }));

describe("resolveAnsi", () => {
  it.each(["light", "dark"] as const)("is readable in the %s theme for all colours", (theme) => {
    fc.assert(
      fc.property(style, (asked) => {
        const { color: text, background } = resolveAnsi(asked, theme);
        expect(contrast(text, background ?? logBackgrounds[theme])).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["light", "dark"] as const)("keeps the 16 colours of the %s theme", (theme) => {
    const seen = Array.from({ length: 16 }, (_, index) =>
      resolveAnsi({ ...plainStyle, color: { kind: "indexed", index } }, theme).color.join(),
    );
    expect(new Set(seen).size).toBe(16);
  });

  it("swaps text and background when inverse", () => {
    const blue: AnsiColor = { kind: "rgb", rgb: [0, 0, 255] };
    expect(resolveAnsi({ ...plainStyle, color: blue, inverse: true }, "light").background).toEqual([0, 0, 255]);
  });
});

describe("cssOfAnsi", () => {
  it("returns nothing for plain text", () => {
    expect(cssOfAnsi(plainStyle)).toBeUndefined();
  });

  it("returns a colour for each theme", () => {
    const css = cssOfAnsi({ ...plainStyle, color: { kind: "indexed", index: 1 }, bold: true, underline: true });
    expect(css?.color).toMatch(/^light-dark\(rgb\([\d ]+\), rgb\([\d ]+\)\)$/);
    expect(css).toMatchObject({ fontWeight: 700, textDecorationLine: "underline" });
  });
});
