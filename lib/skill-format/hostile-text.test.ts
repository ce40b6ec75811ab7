import { expect, it } from "vitest";
import { writeSpec } from "./export/write-spec";
import { checkQuality } from "./manifest/check-quality";
import { readSkill } from "./manifest/read-skill";
import { skillFiles } from "./testing/skill-files";

/** The largest frontmatter that is read, and the largest file that is stored. */
const BLOCK = 60_000;
const FILE = 5_000_000;
const fill = (text: string, chars: number) => text.repeat(Math.ceil(chars / text.length));
const stairs = Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth + 1)}k${depth}:\n`).join("");

// Each of these makes a naive repair quadratic, or a list longer than a call's maximum number of arguments.
it.each<[string, string]>([
  ["anchors", `---\na: ${fill("&a ", BLOCK)}\n---\n`],
  ["escaped quotes", `---\nname: a\nmetadata: {${fill('\\"', BLOCK)}\n---\n`],
  ["quotes", `---\nname: a\nmetadata: {${fill('"a', BLOCK)}\n---\n`],
  ["brackets", `---\nname: a\nx: ${fill("[", BLOCK)}\n---\n`],
  ["brackets on many lines", `---\nname: a\n${fill(`k: ${"[".repeat(60)}\n`, BLOCK / 2)}---\n`],
  ["broken keys", `---\n${fill("k: [\n", BLOCK)}---\n`],
  ["aliases", `---\n${fill("k: *a\n", BLOCK)}---\n`],
  ["colons", `---\n${fill("a: b: c\n", BLOCK)}---\n`],
  ["headings without an end", `---\n${fill("## a\n\n", FILE)}license: x\n`],
  ["headings in a broken block", `---\nx: [\n${fill("## a\n\n", BLOCK)}license: x\n---\n`],
  ["HTML comments", fill("<!-- a -->\n", FILE)],
  ["blank lines", fill("\n", FILE)],
  ["single CR", fill("\r", FILE)],
  ["a wide opening line", `--- a: ${fill(" ", FILE)}x`],
  ["blanks in a value", `---\nname: [${fill(" ", BLOCK)}\n`],
  ["blank lines in a value", `---\nname: [\n${fill(" \n", BLOCK)}x: ]\n`],
  ["keys without an end", `---\n${fill("name: x\n", FILE)}`],
  ["fences that are none", `---\n${fill("--- x\n", FILE)}`],
  ["fences", fill("---\n", FILE)],
  ["backticks", fill("`", FILE)],
  ["links", fill("[a](b.md) ", FILE)],
  ["conflict markers", `---\n${fill("<<<<<<< a\n", BLOCK)}name: x\ndescription: [\n---\n`],
  ["stairs", `---\nname: a\nm:\n${stairs}${" ".repeat(210)}@x\n---\n`],
  ["one line of fields", `--- name: ${fill("name: x ", BLOCK)}`],
  ["tags", `---\nname: a\ndescription: ${fill("<a", BLOCK)}\n---\n`],
  ["JSON in a text", `---\nname: a\nmetadata: '{${fill('\\"[', BLOCK)}'\n---\n`],
  ["broken items", `---\nname: a\nx:\n${fill('- "a" b\n', BLOCK)}---\n`],
])("is read, checked and written without a hang: %s", (_name, text) => {
  const files = skillFiles({ "SKILL.md": text });
  const { manifest, diagnostics } = readSkill(files, { folder: "x" });
  expect(diagnostics.length).toBeLessThan(1_000);
  expect(checkQuality(files, manifest).length).toBeLessThan(100);
  expect(writeSpec(files, manifest).files).toHaveLength(1);
});
