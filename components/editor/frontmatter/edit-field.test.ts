import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFailure, parseYamlBlock } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { commentsOf, editField, type NewValue } from "./edit-field";
import { FORM_FIELDS, type FormKey } from "./form-fields";
import { locateBlock } from "./locate-block";
import { readForm } from "./read-form";

const file = (yaml: string) => `---\n${yaml}---\n\n# Body\n\n--- not a fence\n`;

describe("editField", () => {
  it.each<[string, string, FormKey, NewValue, string]>([
    ["keeps quotes", "name: 'a'\n", "name", "b", "name: 'b'\n"],
    ["keeps what stands behind", "name: a # why\nlicense: MIT\n", "name", "b", "name: b # why\nlicense: MIT\n"],
    ["quotes where YAML needs it", "name: a\n", "name", "b: c", 'name: "b: c"\n'],
    ["adds behind the field before it", "name: a\nx: 1\n", "description", "d", "name: a\ndescription: d\nx: 1\n"],
    ["adds at the end", "# only a comment\n", "name", "a", "# only a comment\nname: a\n"],
    ["takes a field away", "name: a\nlicense: MIT\nx: 1\n", "license", null, "name: a\nx: 1\n"],
    ["keeps the comment of a field that goes", "license: MIT # asked\nx: 1\n", "license", null, "# asked\nx: 1\n"],
    [
      "writes tools in one line",
      "name: a\n",
      "allowed-tools",
      ["Read", "Bash(git add:*)"],
      "name: a\nallowed-tools: Read Bash(git add:*)\n",
    ],
    [
      "keeps commas between tools",
      "allowed-tools: Read, Grep\n",
      "allowed-tools",
      ["Read", "Grep", "LS"],
      "allowed-tools: Read, Grep, LS\n",
    ],
    ["keeps brackets", "allowed-tools: [Read, Grep]\n", "allowed-tools", ["Read"], "allowed-tools: [Read]\n"],
    [
      "keeps the comments of a list",
      "tags:\n  - a # first\n  # then\n  - b\n",
      "tags",
      ["b", "c"],
      "# first\ntags:\n  # then\n  - b\n  - c\n",
    ],
    ["keeps another spelling", "when-to-use: x\n", "when_to_use", "y", "when-to-use: y\n"],
    ["writes flags bare", "user-invocable: false\n", "user-invocable", true, "user-invocable: true\n"],
    [
      "keeps folded texts folded",
      "description: >-\n  one\n  two\nx: 1\n",
      "description",
      "three",
      "description: >-\n  three\nx: 1\n",
    ],
    [
      "keeps nested metadata",
      "metadata:\n  a: b\n  deep: {x: 1}\n",
      "metadata",
      { a: "c" },
      "metadata:\n  a: c\n  deep: {x: 1}\n",
    ],
    [
      "leaves blank lines and order alone",
      "\nb: 1\n\n\nname: a\n\n# end\n",
      "name",
      "c",
      "\nb: 1\n\n\nname: c\n\n# end\n",
    ],
  ])("%s", (_what, before, key, value, after) => {
    expect(editField(file(before), key, value)).toBe(file(after));
  });

  it("begins a frontmatter where there is none, and keeps a byte order mark and CRLF", () => {
    expect(editField("# Title\n", "name", "a")).toBe("---\nname: a\n---\n\n# Title\n");
    expect(editField("", "name", "a")).toBe("---\nname: a\n---\n");
    expect(editField("\ufeff---\r\nname: a\r\nx: 1\r\n---\r\nBody", "name", "b")).toBe(
      "\ufeff---\r\nname: b\r\nx: 1\r\n---\r\nBody",
    );
    expect(editField("---\n---", "name", "b")).toBe("---\nname: b\n---");
  });

  it.each([
    ["---\nname: [a\n---\n", "is not YAML"],
    ["---\nname: a\n", "has no end"],
    ["---js\nname: a\n---\n", "names a language"],
    ["---\n{name: a}\n---\n", "stands in brackets"],
  ])("refuses a frontmatter that %s", (text) => {
    expect(editField(text, "name", "b")).toBeNull();
  });
});

describe("readForm", () => {
  it("names the line where the YAML stops being YAML", () => {
    expect(readForm("---\nname: a\ndescription: b: c\n---\n")).toMatchObject({ ok: false, line: 3 });
  });

  it("shows texts as they are written, and nothing of what it cannot hold", () => {
    const reading = readForm(
      file("name: 1.10\ndescription: [a]\ntags: x, y\nallowed-tools: Read Bash(a b)\nmetadata: {a: b, c: 1}\n"),
    );
    expect(reading).toMatchObject({
      ok: true,
      values: {
        name: { kind: "text", text: "1.10" },
        description: { kind: "other" },
        tags: { kind: "items", items: ["x", "y"] },
        "allowed-tools": { kind: "items", items: ["Read", "Bash(a b)"] },
        metadata: {
          kind: "entries",
          entries: [
            { key: "a", value: "b" },
            { key: "c", value: null },
          ],
        },
        license: { kind: "unset" },
      },
    });
  });
});

const word = fc.stringMatching(/^[a-z][a-z0-9 :#'"\-é]{0,12}[a-z0-9]$/);
const comment = fc.option(fc.stringMatching(/^[a-z0-9 :'"-]{1,12}$/), { nil: null });
/** A field in the notations that people use, with comments where YAML allows them. */
const written = fc
  .tuple(fc.constantFrom(...FORM_FIELDS.map((field) => field.key), "unknown", "x-y"), word, fc.nat(8), comment, comment)
  .map(([key, text, shape, above, behind]) => {
    const tail = behind === null ? "" : ` # ${behind}`;
    const head = above === null ? "" : `# ${above}\n`;
    const flat = text.replace(/[:#'"]/g, " ").trim();
    const shapes = [
      `${key}: ${flat}${tail}\n`,
      `${key}: ${JSON.stringify(text)}${tail}\n`,
      `${key}: '${text.replaceAll("'", "''")}'${tail}\n`,
      `${key}: >-${tail}\n  ${flat}\n  ${flat}\n`,
      `${key}: |\n  ${text}\n\n  # ${flat}\n`,
      `${key}:\n- ${flat}${tail}\n- b\n`,
      `${key}:${tail}\n    - ${flat}\n    # between\n    - b\n`,
      `${key}: [ ${flat},b ]${tail}\n`,
      `${key}:\n  a: ${flat}${tail}\n  b:\n    c: 1\n`,
    ];
    return { key, yaml: `${head}${shapes[shape]}${above === null ? "" : "\n"}` };
  });
const document = fc
  .uniqueArray(written, { selector: (field) => field.key, maxLength: 7 })
  .chain((fields) =>
    fc.constantFrom("\n", "\r\n").map((eol) => file(fields.map((field) => field.yaml).join("")).replaceAll("\n", eol)),
  );
const change = fc.oneof(
  fc.tuple(fc.constantFrom<FormKey>("name", "description", "license", "homepage"), fc.oneof(word, fc.constant("a\nb"))),
  fc.tuple(fc.constantFrom<FormKey>("user-invocable"), fc.boolean()),
  fc.tuple(
    fc.constantFrom<FormKey>("allowed-tools", "tags"),
    fc.uniqueArray(fc.stringMatching(/^[A-Z][a-z]{1,5}(\([a-z :*]{1,5}\))?$/), { minLength: 1, maxLength: 3 }),
  ),
  fc.tuple(fc.constantFrom<FormKey>("license", "tags", "metadata"), fc.constant(null)),
);

function blockOf(text: string): string {
  const block = locateBlock(text);
  if (block.kind !== "found") throw new Error("expected a frontmatter");
  return text.slice(block.start, block.end);
}

describe("editing any field of any frontmatter", () => {
  it("changes that field and nothing else, and loses no comment", () => {
    let edited = 0;
    fc.assert(
      fc.property(document, change, (text, [key, value]) => {
        const before = parseYamlBlock(blockOf(text));
        fc.pre(!isFailure(before));
        const result = editField(text, key, value);
        expect(result, text).not.toBeNull();
        const after = parseYamlBlock(blockOf(result ?? ""));
        if (isFailure(before) || isFailure(after)) throw new Error("expected valid YAML");
        const { [key]: _old, ...rest } = before.values;
        const { [key]: now, ...kept } = after.values;
        expect(kept).toEqual(rest);
        const form = readForm(result ?? "");
        if (typeof value === "string") expect(after.texts.get(key)).toBe(value);
        else if (value === null) expect(now).toBeUndefined();
        else if (Array.isArray(value)) expect(form).toMatchObject({ ok: true, values: { [key]: { items: value } } });
        else expect(now).toBe(value);
        for (const said of commentsOf(blockOf(text))) expect(commentsOf(blockOf(result ?? "")), said).toContain(said);
        expect(result?.slice(result.lastIndexOf("---"))).toBe(text.slice(text.lastIndexOf("---")));
        edited += 1;
      }),
      { numRuns: 500 },
    );
    expect(edited).toBeGreaterThan(200);
  });
});
