import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainStyle, readAnsi } from "./ansi";

const toVisibleText = (text: string) =>
  readAnsi(text, plainStyle)
    .pieces.map((piece) => piece.text)
    .join("");

describe("the text of a log line", () => {
  it.each([
    ["\u001b[31mred\u001b[0m text", "red text"],
    ["\u001b]0;title\u0007after", "after"],
    ["\u001b[2K\u001b[1Gprogress", "progress"],
    ["bell \u0007 here", "bell ␇ here"],
    ["a\tb", "a\tb"],
    ["abc\u202edcba", "abc\\u202edcba"],
    ["zero\u200bwidth", "zero\\u200bwidth"],
    ["one 👩‍🔧 mended", "one 👩‍🔧 mended"],
  ])("shows %j as %j", (text, shown) => {
    expect(toVisibleText(text)).toBe(shown);
  });

  it("leaves no control character except the tab", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(toVisibleText(text).replaceAll("\t", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe("readAnsi", () => {
  const styles = (text: string) => readAnsi(text, plainStyle).pieces.map(({ text, style }) => [text, style]);

  it("reads the 16 colours, including bright ones", () => {
    expect(styles("\u001b[31ma\u001b[92;44mb\u001b[39;49mc")).toEqual([
      ["a", { ...plainStyle, color: { kind: "indexed", index: 1 } }],
      ["b", { ...plainStyle, color: { kind: "indexed", index: 10 }, background: { kind: "indexed", index: 4 } }],
      ["c", plainStyle],
    ]);
  });

  it.each([
    ["38;5;208", { kind: "indexed", index: 208 }],
    ["38:5:208", { kind: "indexed", index: 208 }],
    ["38;2;1;2;3", { kind: "rgb", rgb: [1, 2, 3] }],
    ["38:2:1:2:3", { kind: "rgb", rgb: [1, 2, 3] }],
    ["38:2::1:2:3", { kind: "rgb", rgb: [1, 2, 3] }],
    ["38;5;999", null],
    ["38;2;1;2;300", null],
    ["38", null],
    ["999", null],
  ])("reads the colour of %s", (codes, color) => {
    expect(styles(`\u001b[${codes}mx`)).toEqual([["x", { ...plainStyle, color }]]);
  });

  it("continues after an extended colour", () => {
    expect(styles("\u001b[38;2;1;2;3;1;4mx")).toEqual([
      ["x", { ...plainStyle, color: { kind: "rgb", rgb: [1, 2, 3] }, bold: true, underline: true }],
    ]);
  });

  it("resets each style", () => {
    const on = readAnsi("\u001b[1;3;4;7;9m", plainStyle).end;
    expect(on).toMatchObject({ bold: true, italic: true, underline: true, inverse: true, strike: true });
    expect(readAnsi("\u001b[22;23;24;27;29m", on).end).toEqual(plainStyle);
    expect(readAnsi("\u001b[m", on).end).toEqual(plainStyle);
  });

  it("ignores cursor moves, titles, links and faint or hidden text", () => {
    expect(styles("\u001b[2J\u001b[8ma\u001b]8;;https://example.org\u0007b\u001b[?25l")).toEqual([
      ["a", plainStyle],
      ["b", plainStyle],
    ]);
  });

  it("carries the style over to the next line", () => {
    const { end } = readAnsi("\u001b[33mwarning:", plainStyle);
    expect(readAnsi("more", end).pieces).toEqual([
      { text: "more", style: { ...plainStyle, color: { kind: "indexed", index: 3 } } },
    ]);
  });
});
