import { expect, test } from "vitest";
import { printable, printableJson } from "./printable-text";

const HIDDEN = "\u001b[8m\u009b8m\r\n\u2028\u202e\u2066\u200b\u{e0041}\ud800";

test("hidden characters are replaced, and letters of every script stay", () => {
  expect(printable(HIDDEN)).toBe(`�[8m�8m${"�".repeat(8)}`);
  expect(printable("Größe 名前 שלום 👍")).toBe("Größe 名前 שלום 👍");
});

test("JSON with hidden characters in escapes means the same", () => {
  const json = printableJson({ [HIDDEN]: [HIDDEN] });
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(json)).toEqual({ [HIDDEN]: [HIDDEN] });
});
