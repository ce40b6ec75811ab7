import { expect, it } from "vitest";
import { splitFrontmatter } from "./split-frontmatter";

it.each([
  ["LF", "---\nname: a\n---\n# Hi\n", "name: a", "# Hi\n"],
  ["CRLF", "---\r\nname: a\r\nb: c\r\n---\r\n# Hi\r\n", "name: a\nb: c", "# Hi\r\n"],
  ["blanks after the fences", "--- \nname: a\n---\t\nx", "name: a", "x"],
  ["an empty block", "---\n---\nx", "", "x"],
  ["no body", "---\nname: a\n---", "name: a", ""],
  ["a rule in the body", "---\na: 1\n---\nx\n---\ny", "a: 1", "x\n---\ny"],
])("cuts a file with %s", (_name, text, block, body) => {
  expect(splitFrontmatter(text)).toEqual({ kind: "found", block, body });
});

it.each([
  ["# Title\n---\nx", "absent"],
  ["-----\nname: a\n-----\n", "absent"],
  ["\n---\nname: a\n---\n", "absent"],
  ["", "empty_file"],
  [" \n\n", "empty_file"],
  ["---\nname: a\n", "unclosed"],
  ["---", "unclosed"],
  ["---js\n1\n---\n", "bad_fence"],
  ["--- js \n1\n---\n", "bad_fence"],
  ["---#x\n---\n", "bad_fence"],
])("splits off nothing from %j", (text, kind) => {
  expect(splitFrontmatter(text)).toEqual({ kind, body: text });
});
