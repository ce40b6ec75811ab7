import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toVisibleText } from "./log-text";

describe("toVisibleText", () => {
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

  it("leaves no control character but the tab, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(toVisibleText(text).replaceAll("\t", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
