import { describe, expect, it } from "vitest";
import { codeLines } from "./code-viewer";

const texts = (text: string) => codeLines(text).map((line) => line.text);

describe("codeLines", () => {
  it("numbers lines from one and takes a final line break for an end", () => {
    expect(codeLines("a\nb\n").map((line) => [line.number, line.text])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
  });

  it("splits at both kinds of line end and keeps a lone carriage return", () => {
    expect(texts("a\r\nb\rc\nd")).toEqual(["a", "b\rc", "d"]);
  });

  it("shows an empty file as one empty line", () => {
    expect(texts("")).toEqual([""]);
  });

  it("cuts a long line and says how much is missing, without halving a character", () => {
    const [line] = codeLines(`${"a".repeat(1999)}👩${"b".repeat(100)}`);
    expect(line?.text).toBe("a".repeat(1999));
    expect(line?.clipped).toBe(101);
  });
});
