import { describe, expect, it } from "vitest";
import { codeLines } from "./code-viewer";

const texts = (text: string) => codeLines(text).map((line) => line.text);

describe("codeLines", () => {
  it("numbers lines from one, without a line after the final line break", () => {
    expect(codeLines("a\nb\n").map((line) => [line.number, line.text])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
  });

  it("splits at LF and CRLF and keeps a lone carriage return", () => {
    expect(texts("a\r\nb\rc\nd")).toEqual(["a", "b\rc", "d"]);
  });

  it("shows an empty file as one empty line", () => {
    expect(texts("")).toEqual([""]);
  });

  it("truncates a long line with the number of cut characters, without splitting a character", () => {
    const [line] = codeLines(`${"a".repeat(1999)}👩${"b".repeat(100)}`);
    expect(line?.text).toBe("a".repeat(1999));
    expect(line?.clipped).toBe(101);
  });
});
