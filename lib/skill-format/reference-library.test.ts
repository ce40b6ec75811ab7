import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { validate } from "skills-ref";
import { afterAll, describe, expect, it } from "vitest";
import { writeSpec } from "./export/write-spec";
import { readSkill } from "./manifest/read-skill";
import { validateStrict } from "./manifest/validate-strict";
import { skillFiles } from "./testing/skill-files";

// The npm port of the reference library (skills-ref 0.1.5) is the oracle for the validator.
const root = mkdtempSync(join(tmpdir(), "skills-ref-"));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

async function judge(bytes: string | Uint8Array, name: string): Promise<{ ours: string[]; theirs: string[] }> {
  count += 1;
  const folder = join(root, String(count), name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), bytes);
  const ours = validateStrict(folder, skillFiles({ "SKILL.md": bytes })).filter((item) => item.severity === "error");
  return { ours: ours.map((item) => item.message), theirs: await validate(folder) };
}

/** Deliberate differences from the port, because the Python library or safety requires them. */
const DIFFERENCES: Record<string, (bytes: string) => boolean> = {
  // js-yaml (YAML 1.1) expands anchors and merges; the Python library and this product refuse them.
  "anchors and aliases are refused": (text) => /[&*][A-Za-z0-9]|<<:/.test(text),
  // js-yaml follows YAML 1.1 where dates become Date objects, and it continues quoted texts on unindented lines.
  "a quoted text goes on over lines": (text) => /["'][^"'\n]*\n/.test(text),
  // The port knows letters of five scripts; Python's isalnum knows all.
  "letters of every script are letters": (text) => /\P{ASCII}/u.test(text),
  // The port counts UTF-16 units; Python counts characters.
  "characters are counted, not UTF-16 units": (text) => /[\ud800-\udfff]/.test(text),
  // An empty mapping has no name either way; only the messages differ. Tags, tabs and directives follow YAML 1.2.
  "YAML 1.2 decides about tags, tabs and directives": (text) => /!|\t|^%/m.test(text),
  // The port refuses a compatibility of `true` or `3.11`; to the Python library every scalar is a text.
  "every scalar is a text": (text) => /^compatibility:\s*(?:true|false|[-+.\d].*)\s*$/im.test(text),
  // The port reads a description of null as the word "null", and a mapping as "[object Object]".
  "null, lists and mappings are no text": (text) =>
    /^(?:name|description):\s*(?:~|null|Null|NULL|\[.*|\{.*)?\s*(?:#.*)?$/m.test(text),
};

const explain = (text: string) => Object.entries(DIFFERENCES).find(([, applies]) => applies(text))?.[0];

describe("the reference library's own cases", () => {
  const valid = "name: my-skill\ndescription: A test skill";
  it.each<[string, string, string]>([
    ["valid_skill", valid, "my-skill"],
    ["invalid_name_uppercase", "name: MySkill\ndescription: d", "MySkill"],
    ["name_too_long", `name: ${"a".repeat(70)}\ndescription: d`, "a".repeat(70)],
    ["leading_hyphen", "name: -my-skill\ndescription: d", "-my-skill"],
    ["consecutive_hyphens", "name: my--skill\ndescription: d", "my--skill"],
    ["invalid_characters", "name: my_skill\ndescription: d", "my_skill"],
    ["directory_mismatch", "name: correct-name\ndescription: d", "wrong-name"],
    ["unexpected_fields", `${valid}\nunknown_field: x`, "my-skill"],
    [
      "valid_with_all_fields",
      `${valid}\nlicense: MIT\ncompatibility: c\nmetadata:\n  author: Test\nallowed-tools: Bash(jq:*)`,
      "my-skill",
    ],
    ["allowed_tools_accepted", `${valid}\nallowed-tools: Bash(jq:*) Bash(git:*)`, "my-skill"],
    ["i18n_chinese", "name: 技能\ndescription: d", "技能"],
    ["i18n_russian_hyphens", "name: мой-навык\ndescription: d", "мой-навык"],
    ["i18n_russian_lowercase", "name: навык\ndescription: d", "навык"],
    ["i18n_russian_uppercase_rejected", "name: НАВЫК\ndescription: d", "НАВЫК"],
    ["description_too_long", `name: my-skill\ndescription: ${"x".repeat(1_100)}`, "my-skill"],
    ["valid_compatibility", `${valid}\ncompatibility: Requires Python 3.11+`, "my-skill"],
    ["compatibility_too_long", `${valid}\ncompatibility: ${"x".repeat(550)}`, "my-skill"],
    ["nfkc_name", "name: cafe\u0301\ndescription: d", "caf\u00e9"],
    ["missing_name", "description: d", "my-skill"],
    ["missing_description", "name: my-skill", "my-skill"],
    ["invalid_yaml", "name: [unclosed", "my-skill"],
    ["non_dict", "- a\n- b", "my-skill"],
    ["allowed_tools_list", `${valid}\nallowed-tools: [Read, Bash]`, "my-skill"],
    ["duplicate_keys", `${valid}\nname: other`, "my-skill"],
  ])("%s", async (_name, block, folder) => {
    const { ours, theirs } = await judge(`---\n${block}\n---\nBody`, folder);
    expect(ours.length === 0).toBe(theirs.length === 0);
  });

  it.each([
    ["lowercase_name", "name: MySkill\ndescription: d"],
    ["long_name", `name: ${"a".repeat(70)}\ndescription: d`],
    ["leading_hyphen", "name: -my-skill\ndescription: d"],
    ["consecutive_hyphens", "name: my--skill\ndescription: d"],
    ["invalid_characters", "name: my_skill\ndescription: d"],
    ["unexpected_fields", `${valid}\nunknown_field: x\nversion: 1.2.0\nwhen_to_use: often`],
    ["long_description", `name: my-skill\ndescription: ${"x".repeat(1_100)}`],
    ["long_compatibility", `${valid}\ncompatibility: ${"x".repeat(550)}`],
    ["compatibility_of_another_type", `${valid}\ncompatibility: [a, b]`],
    ["allowed_tools_list", `${valid}\nallowed-tools: [Read, Bash]`],
    ["nested_metadata", `${valid}\nmetadata: {openclaw: {requires: {bins: [jq]}}}`],
    ["unquoted_colon", "name: my-skill\ndescription: Use when: asked"],
  ])("what the library refuses is accepted once exported: %s", async (_name, block) => {
    expect(await judgeExport(`---\n${block}\n---\nBody`)).toEqual({ unmeant: [], isClean: true });
  });

  it.each([
    ["missing_frontmatter", "# No frontmatter"],
    ["unclosed_frontmatter", "---\nname: a\n"],
    ["empty_file", ""],
  ])("%s", async (_name, text) => {
    const { ours, theirs } = await judge(text, "a");
    expect(ours).toEqual(theirs);
  });

  it("a path that is missing, a file, and a folder without SKILL.md", async () => {
    const file = join(root, "file.txt");
    const empty = join(root, "empty");
    writeFileSync(file, "x");
    mkdirSync(empty);
    expect(validateStrict(join(root, "none"), "missing")).toHaveLength((await validate(join(root, "none"))).length);
    expect(validateStrict(file, "not_a_directory").map((item) => item.message)).toEqual(await validate(file));
    expect(validateStrict(empty, []).map((item) => item.message)).toEqual(await validate(empty));
  });
});

it("agrees on every known shape, except for named differences", async () => {
  const shapes = fileURLToPath(new URL("./fixtures/shapes/", import.meta.url));
  const unexplained: string[] = [];
  for (const name of readdirSync(shapes)) {
    const bytes = new Uint8Array(readFileSync(shapes + name));
    const { ours, theirs } = await judge(bytes, "tide-tables");
    const isSame = (ours.length === 0) === (theirs.length === 0);
    if (!isSame && explain(new TextDecoder().decode(bytes)) === undefined) unexplained.push(name);
  }
  expect(unexplained).toEqual([]);
});

/** Findings of the library on exports that are meant: each has its condition in the export. */
const MEANT: Record<string, (text: string) => boolean> = {
  // The product writes no description that its author did not write.
  "Missing required field in frontmatter: description": (text) => !/^description: /m.test(text),
  // Claude Code reads it at the top level only; the export reports it as `spec_context`.
  "Unexpected fields in frontmatter: context. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.":
    (text) => /^context: fork$/m.test(text),
};

/** Exports what was read, in a folder of its name, and asks the library. Null for what has no portable name. */
async function judgeExport(bytes: string | Uint8Array): Promise<{ unmeant: string[]; isClean: boolean } | null> {
  const { manifest } = readSkill(skillFiles({ "SKILL.md": bytes }), { folder: "tide-tables" });
  const [marker] = writeSpec(skillFiles({ "SKILL.md": bytes }), manifest).files;
  const text = new TextDecoder().decode(marker?.bytes);
  const name = /^name: ([a-z0-9-]+)$/m.exec(text)?.[1];
  if (name === undefined) return null;
  const { theirs } = await judge(text, name);
  return { unmeant: theirs.filter((message) => !MEANT[message]?.(text)), isClean: theirs.length === 0 };
}

it("accepts the export of every known shape, except for what is meant", async () => {
  const shapes = fileURLToPath(new URL("./fixtures/shapes/", import.meta.url));
  const refused: Record<string, string[]> = {};
  const counts = { clean: 0, judged: 0 };
  for (const name of readdirSync(shapes)) {
    const judged = await judgeExport(new Uint8Array(readFileSync(shapes + name)));
    if (judged === null) continue;
    counts.judged += 1;
    if (judged.isClean) counts.clean += 1;
    if (judged.unmeant.length > 0) refused[name] = judged.unmeant;
  }
  expect(refused).toEqual({});
  expect(counts.judged).toBeGreaterThan(20);
  expect(counts.clean).toBeGreaterThan(counts.judged / 2);
});

it("agrees on generated skills, except for named differences", async () => {
  const name = fc.oneof(
    fc.stringMatching(/^[a-z0-9-]{1,12}$/),
    fc.stringMatching(/^[A-Za-z_ ]{1,10}$/),
    fc.constant("my-skill"),
  );
  const value = fc.oneof(
    fc.constantFrom(
      "A skill",
      '"Use: when"',
      "'it''s'",
      "Use: when",
      "a #b",
      "1.10",
      "true",
      "",
      "[a, b]",
      "{a: b}",
      "|\n  x",
      "x".repeat(1_030),
    ),
    fc.stringMatching(/^[ -~]{0,20}$/),
  );
  const line = fc.tuple(
    fc.constantFrom("license", "compatibility", "metadata", "allowed-tools", "version", "description"),
    value,
  );
  const counts = { accepted: 0, refused: 0, explained: 0 };
  await fc.assert(
    fc.asyncProperty(name, value, fc.array(line, { maxLength: 3 }), fc.boolean(), async (skill, about, more, fits) => {
      const lines = [`name: ${skill}`, `description: ${about}`, ...more.map(([key, text]) => `${key}: ${text}`)];
      const text = `---\n${lines.join("\n")}\n---\nBody`;
      const { ours, theirs } = await judge(text, fits ? skill.trim().replaceAll("/", "") || "x" : "other");
      const isSame = (ours.length === 0) === (theirs.length === 0);
      if (!isSame && explain(text) !== undefined) {
        counts.explained += 1;
        return;
      }
      counts[ours.length === 0 ? "accepted" : "refused"] += 1;
      expect({ text, accepted: ours.length === 0, ours }).toEqual({ text, accepted: theirs.length === 0, ours });
    }),
    { numRuns: 400 },
  );
  expect(counts.accepted).toBeGreaterThan(10);
  expect(counts.refused).toBeGreaterThan(10);
  expect(counts.explained).toBeLessThan(40);
});
