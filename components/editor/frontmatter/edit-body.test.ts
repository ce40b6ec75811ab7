import fc from "fast-check";
import { expect, it } from "vitest";
import { splitFrontmatter } from "@/lib/skill-format/frontmatter/split-frontmatter";
import { editBody, readBody } from "./edit-body";

it.each([
  ["---\nname: a\n---\n\n# A\n", "# A\n", "---\nname: a\n---\n\nB"],
  ["---\nname: a\n---\n# A", "# A", "---\nname: a\n---\n\nB"],
  ["---\r\nname: a\r\n---\r\n\r\n# A\r\n", "# A\r\n", "---\r\nname: a\r\n---\r\n\r\nB"],
  ["# A\n", "# A\n", "B"],
  ["---\nname: a\n---\n", "", "---\nname: a\n---\n\nB"],
])("reads and replaces the instructions of %j", (text, body, after) => {
  expect(readBody(text)).toBe(body);
  expect(editBody(text, "B")).toBe(after);
});

it("keeps the frontmatter of any instructions, and reads back what was written", () => {
  const head = "---\nname: a\ndescription: d\n---\n\n";
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "-", "#", " ", "\n", "---\n", "x: y") }), (body) => {
      const after = editBody(`${head}# A\n`, body);
      const split = splitFrontmatter(after);
      expect(after.startsWith(head)).toBe(true);
      expect(split.kind === "found" && split.block).toBe("name: a\ndescription: d");
      expect(readBody(after)).toBe(body.replace(/^(?:[ \t]*\n)+/, ""));
    }),
    { numRuns: 300 },
  );
});
