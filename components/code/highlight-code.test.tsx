import { cleanup, render } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ColouredText } from "./coloured-text";
import { highlightCode } from "./highlight-code";

afterEach(cleanup);

const coloured = (path: string, text: string, className: string) =>
  (highlightCode(path, text) ?? []).flatMap((marks, line) =>
    marks
      .filter((mark) => mark.className.includes(className))
      .map(({ from, to }) => text.split(/\r?\n/)[line]?.slice(from, to)),
  );

test.each([
  ["a.py", "# why\nprint('x')\n", "italic", ["# why"]],
  ["a.py", "if x:\n  return 'y'", "code-keyword", ["if", "return"]],
  ["a.py", '"""one\r\ntwo"""', "code-string", ['"""one', 'two"""']],
  ["a.json", '{"a": "b"}', "code-string", ['"a"', '"b"']],
  ["a.ts", "const a: string = `b`;", "code-keyword", ["const"]],
  ["a.yaml", "a: b # c", "italic", ["# c"]],
  ["SKILL.md", "# Title\n\ntext", "font-semibold", ["#", " Title"]],
  ["run.sh", 'echo "$HOME" # why', "italic", ["# why"]],
  ["run", "#!/bin/sh\nif true", "code-keyword", ["if", "true"]],
  ["a.toml", 'name = "x"', "code-name", ["name"]],
  ["fence.python", "if x: y", "code-keyword", ["if"]],
])("%s: %j has %s parts", (path, text, className, expected) => {
  expect(coloured(path, text, className)).toEqual(expected);
});

test("reads the frontmatter of Markdown as YAML and not as a heading", () => {
  const [, name] = highlightCode("SKILL.md", "---\nname: notes\n---\n\n# Notes\n") ?? [];
  expect(name?.map(({ className }) => className)).not.toContain("font-semibold");
  expect(name?.[0]).toEqual({ from: 0, to: 4, className: "text-code-name" });
});

test("files without a grammar, and very long ones, stay plain", () => {
  expect(highlightCode("a.bin", "if x")).toBeNull();
  expect(highlightCode("fence.constructor", "if x")).toBeNull();
  expect(highlightCode("a.py", "x".repeat(200_001))).toBeNull();
});

test("colours never change the text of a line, in any language", () => {
  const path = fc.constantFrom("a.py", "a.js", "a.tsx", "a.json", "a.md", "a.yaml", "a.sh", "a.toml");
  const text = fc.array(
    fc.constantFrom("# a", '"b', "'", "$x", "if ", "`", "\n", "\r\n", " = ", "é", "😀", "<b>", "*c*"),
  );
  fc.assert(
    fc.property(path, text, (name, parts) => {
      const code = parts.join("");
      const marks = highlightCode(name, code);
      for (const [index, line] of code.split(/\r?\n/).entries()) {
        const { container, unmount } = render(<ColouredText text={line} marks={marks?.[index]} />);
        expect(container.textContent).toBe(line);
        unmount();
      }
    }),
    { numRuns: 60 },
  );
});

test("a line with an invisible character is not coloured, and shows it", () => {
  const text = "if a\u200b: # x";
  const [marks] = highlightCode("a.py", text) ?? [];
  const { container } = render(<ColouredText text={text} marks={marks} />);
  expect(container.textContent).toContain("U+200B");
  expect(container.querySelector(".text-code-keyword")).toBeNull();
});
