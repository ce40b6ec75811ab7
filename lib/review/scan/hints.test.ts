import fc from "fast-check";
import { expect, it } from "vitest";
import { createHintFinder, hintsOf } from "./hints";

function placesOf(hints: string[], text: string): number[][] {
  const found: number[][] = hints.map(() => []);
  createHintFinder(hints)(text, (id, start, end) => {
    expect(text.slice(start, end)).toHaveLength(hints[id]?.length ?? 0);
    found[id]?.push(start);
  });
  return found;
}

it("finds the same as a separate search for each text", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom("a", "B", "c", " ", "é"), maxLength: 60 }),
      (hints, text) => {
        const lower = text.toLowerCase();
        const expected = hints.map((hint) => [...lower].flatMap((_, at) => (lower.startsWith(hint, at) ? [at] : [])));
        expect(placesOf(hints, text)).toEqual(expected);
      },
    ),
  );
});

it("matches the non-ASCII letters that case-insensitive patterns match for s and k", () => {
  expect(placesOf(["sk"], "\u017f\u212a")).toEqual([[0]]);
});

it.each([
  [String.raw`\b(?:send|post)s?\b`, ["send", "post"]],
  [String.raw`\bdon['’]t tell`, ["t tell"]],
  [String.raw`colou?r of (?!it)\w+`, ["colour of ", "color of "]],
  [String.raw`(?:ab)+x{0,3}[^.\n]{0,40}\bwith(?:out)?\b`, ["with"]],
  [String.raw`a|\w+`, null],
  ["(?:one)?", null],
])("derives what %s needs", (source, hints) => {
  expect(hintsOf(source)).toEqual(hints);
});

/** An expression, and a text that it matches. */
type Sample = { source: string; text: string };

it("derives texts of which every match contains one", () => {
  const atoms: Sample[] = [
    ...["a", "b", "cd", "é"].map((text) => ({ source: text, text })),
    ...[String.raw`\b`, "(?=a)", "(?<!c)"].map((source) => ({ source, text: "" })),
    ...["[ab]", "[^b]", ".", String.raw`\w`].map((source) => ({ source, text: "a" })),
  ];
  const marks: [string, number][] = [
    ...[["", 1] as const, ["?", 0] as const, ["?", 1] as const, ["+", 2] as const, ["*", 0] as const],
    ...[["{0,2}", 0] as const, ["{1,2}", 1] as const, ["{2}", 2] as const],
  ].map(([mark, times]) => [mark, times]);
  const { expression } = fc.letrec<{ expression: Sample; part: Sample }>((tie) => ({
    part: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(...atoms),
      fc.tuple(tie("expression"), fc.constantFrom(...marks)).map(([{ source, text }, [mark, times]]) => ({
        source: `(?:${source})${mark}`,
        text: text.repeat(times),
      })),
    ),
    expression: fc
      .tuple(fc.array(fc.array(tie("part"), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), fc.nat())
      .map(([sequences, pick]) => ({
        source: sequences.map((parts) => parts.map(({ source }) => source).join("")).join("|"),
        text: (sequences[pick % sequences.length] ?? []).map(({ text }) => text).join(""),
      })),
  }));
  let derived = 0;
  fc.assert(
    fc.property(expression, ({ source, text }) => {
      const hints = hintsOf(source);
      if (hints === null) return;
      derived += 1;
      expect(hints.some((hint) => text.includes(hint))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(derived).toBeGreaterThan(200);
});
