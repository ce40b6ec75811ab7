import { expect, it } from "vitest";
import { findSizeProblems } from "./size-rules.mjs";

const lines = (count) => "x\n".repeat(count);

it("a file of 401 lines is told of, one of 400 and a test of any length are not", () => {
  const files = new Map([
    ["lib/a/long.ts", lines(401)],
    ["lib/a/fits.ts", lines(400)],
    ["lib/a/long.test.ts", lines(900)],
  ]);
  expect(findSizeProblems(files, {})).toEqual([expect.stringMatching(/^lib\/a\/long\.ts has 401 lines/)]);
});

it("a folder of 41 files is told of, except the one of the design system", () => {
  const filesIn = (folder, count) => Array.from({ length: count }, (_, at) => [`${folder}/f${at}.ts`, ""]);
  const files = new Map([...filesIn("lib/a", 41), ...filesIn("lib/b", 40), ...filesIn("components/ui", 60)]);
  expect(findSizeProblems(files, {})).toEqual([expect.stringMatching(/^lib\/a has 41 files/)]);
});

it("reach counts what is imported by value, directly, lazily and for its effects, each file once", () => {
  const files = new Map([
    ["lib/a/entry.ts", 'import { b } from "./b";\nimport type { T } from "./types";\nimport "@/lib/a/effect";\n'],
    ["lib/a/b.ts", 'export const b = () => import("./lazy");\nimport { z } from "zod";\n'],
    ["lib/a/effect.ts", 'import { b } from "./b";\n'],
    ["lib/a/lazy.ts", ""],
    ["lib/a/types.ts", ""],
  ]);
  expect(findSizeProblems(files, { "lib/a/entry.ts": 4 })).toEqual([]);
  expect(findSizeProblems(files, { "lib/a/entry.ts": 3 })).toEqual([
    expect.stringMatching(/reaches 4 files, 3 at most/),
  ]);
  expect(findSizeProblems(files, { "lib/gone.ts": 3 })).toEqual([expect.stringMatching(/is absent/)]);
});
