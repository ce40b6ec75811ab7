import fc from "fast-check";
import type { SkillFile } from "../archive/skill-file";
import { writeYaml } from "../export/write-yaml";
import { skillFiles } from "./skill-files";

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "Looks up tides: use when asked",
    "a #b",
    "1.10",
    "yes",
    "null",
    "[x]",
    "{y}",
    "*z*",
    "a\nb",
    " ",
    "---",
  ),
);
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const tool = fc.stringMatching(/^[A-Za-z_]{1,10}(\([a-z :*,]{0,10}\))?$/);
const names = fc.array(fc.stringMatching(/^[a-z, -]{1,12}$/), { maxLength: 4 });

/** Valid and invalid values of known fields, and unknown fields. */
const frontmatter = fc.record(
  {
    name: fc.oneof(fc.constantFrom("tide-tables", "Tide Tables", "harbour/tides"), text),
    description: fc.oneof(text, fc.string({ minLength: 1_000, maxLength: 1_100 })),
    license: text,
    compatibility: fc.oneof(text, json, fc.string({ minLength: 480, maxLength: 520 })),
    "allowed-tools": fc.oneof(fc.array(tool, { maxLength: 4 }), text, json),
    allowed_tools: fc.array(tool, { maxLength: 4 }),
    tools: fc.oneof(fc.constant(["Bash", "Read"]), json),
    "disallowed-tools": fc.array(tool, { maxLength: 4 }),
    when_to_use: text,
    "argument-hint": fc.oneof(text, names),
    arguments: names,
    context: fc.constantFrom("fork", "inline"),
    version: fc.oneof(text, fc.double({ noNaN: true })),
    tags: fc.oneof(names, text),
    always: fc.oneof(fc.boolean(), text),
    "user-invocable": fc.constantFrom(true, false, "no"),
    class: fc.constantFrom("read", "write", "dangerous", "odd"),
    scope: fc.constantFrom("edge", "manager", "project"),
    requires: fc.oneof(fc.constant({ bins: ["git"], env: ["A"] }), json),
    hooks: fc.constantFrom({ Stop: [{ hooks: [] }] }, "x"),
    activation: fc.constantFrom({ mode: "keyword", keywords: ["a"] }, "never"),
    platforms: fc.constantFrom(["macos"], ["instagram"]),
    metadata: fc.oneof(
      fc.dictionary(text, json, { maxKeys: 4 }),
      fc.constantFrom({ openclaw: { requires: { bins: ["jq"] }, emoji: "x" } }, '{"gsv": {"requires": {}}}', {}, "x"),
      fc.constant({ version: "1.0", author: "Ada", "skillgate-moved": "author" }),
    ),
    "x-custom": json,
    "other key": json,
  },
  { requiredKeys: [] },
);

/** Folders with a SKILL.md of these fields, some with files of other systems. */
export const arbitrarySkill: fc.Arbitrary<SkillFile[]> = fc
  .record({
    fields: frontmatter,
    body: fc.oneof(fc.constant("# Tides\n\nLook them up.\n"), text),
    fence: fc.boolean(),
    toml: fc.boolean(),
    meta: fc.boolean(),
  })
  .map(({ fields, body, fence, toml, meta }) =>
    skillFiles({
      "SKILL.md": fence ? `---\n${writeYaml(fields)}---\n${body}` : body,
      ...(toml && { "skill.toml": '[skill]\nname = "pipe"\n[[skill.steps]]\ntool_name = "web_search"\n' }),
      ...(meta && { "_meta.json": '{"owner": "ada", "displayName": "Tides"}' }),
      "scripts/run.sh*": "#!/bin/sh\n",
    }),
  );
