import fc from "fast-check";
import { expect, it } from "vitest";
import { fromEditor, lineEndsOf, toEditor } from "@/components/editor/code-editor";
import { smallestChange } from "../code-editor";

const anyText = fc.array(fc.constantFrom("a", "b", "\n", "\r", "\r\n", "\ufeff", "\u2028"), { maxLength: 30 });

it("gives every text back to the byte", () => {
  fc.assert(
    fc.property(anyText, (parts) => {
      const text = parts.join("");
      const ends = lineEndsOf(text);
      expect(fromEditor(toEditor(text, ends), ends)).toBe(text);
    }),
  );
  expect([lineEndsOf("a\r\nb\r\n"), lineEndsOf("a\r\nb\n"), lineEndsOf("a\r\nb\r"), lineEndsOf("a")]).toEqual([
    "crlf",
    "lf",
    "lf",
    "lf",
  ]);
});

it("replaces one piece, which makes the other text", () => {
  fc.assert(
    fc.property(anyText, anyText, (first, second) => {
      const [before, after] = [first.join(""), second.join("")];
      const change = smallestChange(before, after);
      const made = change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before;
      expect(made).toBe(after);
    }),
  );
  expect(smallestChange("abcd", "abXd")).toEqual({ from: 2, to: 3, insert: "X" });
});
