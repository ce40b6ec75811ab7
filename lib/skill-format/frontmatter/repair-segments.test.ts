import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontmatter } from "./parse-frontmatter";

const read = (block: string) => parseFrontmatter(`---\n${block}\n---\nbody\n`, "SKILL.md");
const fold = (lines: string[]) => lines.join(" ").replace(/\s+/g, " ");
const long = (start: string) => `${start} ${"and more of it ".repeat(20)}`.trim();

describe("a quoted string with unindented continuation lines is read whole", () => {
  it.each<[string, string[]]>([
    ["plain lines", [long("First"), long("second"), "third."]],
    ["a line that looks like a field", ["Use for", "context: the rest", "license: none", "and more"]],
    ["a line that looks like the field itself", ["Use for", "description: when asked", "and more"]],
    ["headings", ["Use for", "# one", "## two", "the end"]],
    ["rules", ["Use for", "--- one", "----", "...", "the end"]],
    ["lists", ["Use for:", "- one: a", "2. two", "the end"]],
    ["a conflict marker", ["Use for", "<<<<<<< HEAD", "the end"]],
  ])("%s", (_name, lines) => {
    for (const quote of ['"', "'"]) {
      for (const more of ["", "license: MIT", "metadata:\n  a: b: c", "compatibility: needs: git"]) {
        const { mapping, body, diagnostics } = read(
          `name: a\ndescription: ${quote}${lines.join("\n")}${quote}${more && `\n${more}`}`,
        );
        expect(fold([String(mapping?.values.description)])).toBe(fold(lines));
        expect(mapping?.values.name).toBe("a");
        expect(body).toBe("body\n");
        const note = diagnostics.find(({ code }) => code === "repaired_field");
        expect(note).toMatchObject({ severity: "warning", line: 3 });
      }
    }
  });

  it("with escapes, blank lines and quotes in it", () => {
    const { mapping } = read('name: a\ndescription: "Say \\"one\\"\nthen \\"two\\"\n\n\\u00e9 \\\\ end" # a comment');
    expect(mapping?.values.description).toBe('Say "one" then "two"\n\u00e9 \\ end');
    expect(read("name: a\ndescription: 'It''s one\nand ''two'''").mapping?.values.description).toBe(
      "It's one and 'two'",
    );
  });

  it("also nested and in lists", () => {
    const block = 'name: a\nmetadata:\n  note: "one\ntwo"\n  list:\n    - "three\nfour"\n  last: x';
    expect(read(block).mapping?.values.metadata).toEqual({ note: "one two", list: ["three four"], last: "x" });
  });

  it("with any lines", () => {
    const word = fc.constantFrom(
      "a",
      "b:",
      "c",
      "tools:",
      "#",
      "-",
      "version: 1",
      '\\"q\\"',
      "[x",
      "{",
      "|",
      ">",
      "*",
      "@",
    );
    const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const { mapping } = read(`name: a\ndescription: "Begin\n${lines.join("\n")}\nend."\nlicense: MIT`);
        const expected = fold(["Begin", ...lines, "end."]).replaceAll('\\"', '"');
        expect(fold([String(mapping?.values.description)])).toBe(expected);
        expect(mapping?.values.license).toBe("MIT");
      }),
      { numRuns: 300 },
    );
  });
});

describe("a quote that was never closed", () => {
  it.each([
    ["a name", 'name: "a\ndescription: does things"', { description: 'does things"' }],
    ["before a limit", 'name: a\ndescription: "does things\nallowed-tools: Read"', { "allowed-tools": 'Read"' }],
    ["before other quotes", 'name: a\ndescription: "does things\nlicense: "MIT"', { license: "MIT" }],
  ])("does not swallow the fields below it: %s", (_name, block, expected) => {
    expect(read(block).mapping?.values).toMatchObject(expected);
  });
});
