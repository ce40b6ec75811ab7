import { expect, it } from "vitest";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { type StrictTarget, validateStrict } from "./validate-strict";

const md = (block: string) => skillFiles({ "SKILL.md": `---\n${block}\n---\nBody` });
const errors = (folder: string, target: StrictTarget) =>
  validateStrict(folder, target)
    .filter((item) => item.severity === "error")
    .map((item) => item.message);
const named = (name: string, folder = name) => errors(folder, md(`name: ${name}\ndescription: A skill`));

it.each<[string, string[], string[]]>([
  ["a valid skill", named("my-skill"), []],
  ["a path that is missing", errors("/no/such", "missing"), ["Path does not exist: /no/such"]],
  ["a file for a folder", errors("/a/file.txt", "not_a_directory"), ["Not a directory: /a/file.txt"]],
  ["no SKILL.md", errors("my-skill", []), ["Missing required file: SKILL.md"]],
  ["upper case", named("MySkill"), ["Skill name 'MySkill' must be lowercase"]],
  ["a long name", named("a".repeat(70)), [`Skill name '${"a".repeat(70)}' exceeds 64 character limit (70 chars)`]],
  ["a leading hyphen", named("-my-skill"), ["Skill name cannot start or end with a hyphen"]],
  ["a trailing hyphen", named("my-skill-"), ["Skill name cannot start or end with a hyphen"]],
  ["two hyphens", named("my--skill"), ["Skill name cannot contain consecutive hyphens"]],
  [
    "an underscore",
    named("my_skill"),
    ["Skill name 'my_skill' contains invalid characters. Only letters, digits, and hyphens are allowed."],
  ],
  ["another folder", named("my-skill", "wrong-name"), ["Directory name 'wrong-name' must match skill name 'my-skill'"]],
  [
    "unexpected fields",
    errors("my-skill", md("name: my-skill\ndescription: d\nunknown_field: x\nagent: y")),
    [
      "Unexpected fields in frontmatter: agent, unknown_field. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.",
    ],
  ],
  [
    "all fields",
    errors(
      "my-skill",
      md(
        "name: my-skill\ndescription: d\nlicense: MIT\ncompatibility: c\nmetadata:\n  author: x\nallowed-tools: Bash(git:*) Read",
      ),
    ),
    [],
  ],
  ["a Chinese name", named("技能"), []],
  ["a Russian name with hyphens", named("мой-навык"), []],
  ["a Russian name in upper case", named("НАВЫК"), ["Skill name 'НАВЫК' must be lowercase"]],
  ["a name that is one after NFKC", named("cafe\u0301", "caf\u00e9"), []],
  [
    "a long description",
    errors("a", md(`name: a\ndescription: ${"x".repeat(1100)}`)),
    ["Description exceeds 1024 character limit (1100 chars)"],
  ],
  ["characters beyond the basic plane", errors("a", md(`name: a\ndescription: ${"🐙".repeat(1024)}`)), []],
  ["a compatibility", errors("a", md("name: a\ndescription: d\ncompatibility: Needs git")), []],
  [
    "a long compatibility",
    errors("a", md(`name: a\ndescription: d\ncompatibility: ${"x".repeat(550)}`)),
    ["Compatibility exceeds 500 character limit (550 chars)"],
  ],
  [
    "a compatibility that is a mapping",
    errors("a", md("name: a\ndescription: d\ncompatibility:\n  x: y")),
    ["Field 'compatibility' must be a string"],
  ],
  ["no name", errors("a", md("description: d")), ["Missing required field in frontmatter: name"]],
  ["no description", errors("a", md("name: a")), ["Missing required field in frontmatter: description"]],
  ["an empty name", errors("a", md("name: ''\ndescription: d")), ["Field 'name' must be a non-empty string"]],
  [
    "a blank description",
    errors("a", md("name: a\ndescription: '  '")),
    ["Field 'description' must be a non-empty string"],
  ],
  ["a number for a name", named("42"), []],
  [
    "no frontmatter",
    errors("a", skillFiles({ "SKILL.md": "# No" })),
    ["SKILL.md must start with YAML frontmatter (---)"],
  ],
  [
    "a byte order mark",
    errors("a", skillFiles({ "SKILL.md": "\ufeff---\nname: a\n---\n" })),
    ["SKILL.md must start with YAML frontmatter (---)"],
  ],
  [
    "no closing fence",
    errors("a", skillFiles({ "SKILL.md": "---\nname: a\n" })),
    ["SKILL.md frontmatter not properly closed with ---"],
  ],
  ["a list", errors("a", md("- a")), ["SKILL.md frontmatter must be a YAML mapping"]],
  [
    "an empty block",
    errors("a", skillFiles({ "SKILL.md": "---\n---\n" })),
    ["SKILL.md frontmatter must be a YAML mapping"],
  ],
])("reports about %s what the reference library reports", (_name, found, expected) => {
  expect(found).toEqual(expected);
});

it("says that YAML is invalid", () => {
  expect(errors("a", md("name: [unclosed"))[0]).toMatch(/^Invalid YAML in frontmatter: /);
  expect(errors("a", md("name: a\nname: b"))[0]).toMatch(/^Invalid YAML in frontmatter: /);
});

it("prefers SKILL.md and accepts skill.md", () => {
  const lower = skillFiles({ "skill.md": "---\nname: a\ndescription: d\n---\n" });
  expect(errors("a", lower)).toEqual([]);
  expect(errors("a", [...lower, ...skillFiles({ "SKILL.md": "x" })])).toHaveLength(1);
});

it("splits at the first two --- anywhere, as the reference library does", () => {
  expect(errors("a", md("name: a\ndescription: one --- two"))).toEqual([]);
  expect(errors("a", md("description: one --- two\nname: a"))).toEqual(["Missing required field in frontmatter: name"]);
});

it("warns about what only some clients accept", () => {
  const codes = (block: string, folder: string) => validateStrict(folder, md(block)).map((item) => item.code);
  expect(codes("name: 技能\ndescription: d", "技能")).toEqual(["strict_name_not_ascii"]);
  expect(codes("name: a\ndescription: d\nallowed-tools: [Read]", "a")).toEqual(["strict_brackets"]);
});
