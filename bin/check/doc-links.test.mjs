import { expect, test } from "vitest";
import { findDocProblems } from "./doc-links.mjs";

const texts = new Map([
  ["README.md", "# One\n\n[two](docs/two.md#a-heading-with-code) and `lib/core/errors.ts`\n"],
  ["docs/two.md", "## A heading, with `code`\n\n[up](../README.md#one) [here](#a-heading-with-code)\n"],
]);
const files = new Set(["README.md", "docs/two.md", "lib/core/errors.ts"]);

test("links, anchors and paths that exist are no problem", () => {
  expect(findDocProblems(texts, (file) => files.has(file))).toEqual([]);
});

test.each([
  ["[x](docs/three.md)", "README.md links to docs/three.md"],
  ["[x](docs/two.md#other)", "README.md links to docs/two.md#other"],
  ["[x](#two)", "README.md links to #two"],
  ["`lib/core/gone.ts`", "README.md names lib/core/gone.ts"],
])("%s is a problem", (text, problem) => {
  const found = findDocProblems(new Map(texts).set("README.md", `# One\n\n${text}\n`), (file) => files.has(file));
  expect(found).toEqual([expect.stringContaining(problem)]);
});
