import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { NO_TOOL } from "./dialects/tools";
import { readSkill } from "./manifest/read-skill";
import { readSkillMd } from "./manifest/read-skill-md";
import type { SkillManifest } from "./schema";

const FOLDER = fileURLToPath(new URL("./fixtures/shapes/", import.meta.url));
const shapes = readdirSync(FOLDER).map((name) => name.replace(/\.md$/, ""));

function readShape(shape: string) {
  const file = { path: "SKILL.md", mode: "644" as const, bytes: new Uint8Array(readFileSync(`${FOLDER}${shape}.md`)) };
  return { ...readSkill([file], { folder: "the-folder" }), stage: readSkillMd(file).stage };
}

const N = "tide-tables";
const D = "Looks up tide tables. Use when somebody asks for high water.";

/** Shape, stage of the reader, name, description, and the codes of all diagnostics but `dropped_by_strict_loaders` and `field_unknown`. */
const expected: [string, string, string, string, string][] = [
  ["allowed-tools-comma-patterns", "strict", N, D, ""],
  ["allowed-tools-comma", "strict", N, D, ""],
  ["allowed-tools-list-patterns", "strict", N, D, ""],
  ["allowed-tools-list-with-maps", "S5", N, D, "yaml_invalid repaired_field"],
  ["allowed-tools-list", "strict", N, D, ""],
  ["allowed-tools-map", "strict", N, D, "tools_unreadable"],
  ["allowed-tools-space-patterns", "strict", N, D, ""],
  ["allowed-tools-space", "strict", N, D, ""],
  ["allowed-tools-star", "S3", N, D, "yaml_invalid repaired_value"],
  ["bad-escape", "S3", N, "The harbour's tide tables.", "yaml_invalid repaired_value"],
  ["block-indicator-with-text", "S3", N, "Looks up tide tables.", "yaml_invalid repaired_value"],
  ["block-map-in-unindented-braces", "S5", N, D, "yaml_invalid repaired_field"],
  ["block-scalar-folded", "strict", N, D, ""],
  ["block-scalar-literal", "strict", N, "Looks up tide tables.\nUse when somebody asks for high water.", ""],
  ["brace-missing", "S3", N, D, "yaml_invalid repaired_value"],
  ["bracket-then-text", "S3", N, D, "yaml_invalid repaired_value"],
  ["closer-dots", "S4", N, D, "fence_unclosed repaired_closing"],
  ["closer-indented", "S4", N, D, "fence_unclosed repaired_closing"],
  ["closer-joined-to-heading", "S4", N, D, "yaml_invalid repaired_closing"],
  ["closer-long", "S4", N, D, "fence_unclosed repaired_closing"],
  ["closer-missing-and-no-body", "S6", N, D, "fence_unclosed repaired_closing"],
  ["closer-missing-before-heading", "S4", N, D, "fence_unclosed repaired_closing"],
  ["comments-in-frontmatter", "strict", N, D, ""],
  ["date", "strict", N, D, ""],
  ["description-all-comment", "strict", N, "Tide Tables & Ports", "comment_restored"],
  ["description-cut-by-comment", "strict", N, "Posts tides to #harbour each day.", "comment_restored"],
  ["description-missing", "strict", N, "Look up the next high water.", "description_inferred"],
  [
    "double-quote-then-indented-text",
    "S5",
    N,
    "Looks up tides. Triggers: tide. And low water.",
    "yaml_invalid repaired_field",
  ],
  ["duplicate-key", "S1", N, D, "yaml_invalid repaired_duplicate_key"],
  ["empty-body", "strict", N, D, ""],
  ["empty-file", "none", "the-folder", "", "file_empty name_inferred description_missing"],
  ["empty-frontmatter", "strict", "the-folder", "Look up the next high water.", "name_inferred description_inferred"],
  ["encoding-bare-cr", "strict", N, D, "has_bare_cr"],
  ["encoding-bom", "strict", N, D, "has_bom"],
  ["encoding-cr", "strict", N, D, "line_ends_cr"],
  ["encoding-crlf", "strict", N, D, "line_ends_crlf"],
  ["encoding-latin1", "strict", N, D, "not_utf8"],
  ["encoding-mixed", "strict", N, D, "line_ends_mixed"],
  ["encoding-nul", "strict", N, D, "has_nul"],
  [
    "example-frontmatter-deep-in-text",
    "none",
    "the-folder",
    "An example.",
    "frontmatter_missing name_inferred description_inferred",
  ],
  ["flow-unclosed", "S3", N, "[Looks up tide tables", "yaml_invalid repaired_value"],
  [
    "git-conflict-markers",
    "S5",
    N,
    D,
    "yaml_invalid repaired_conflict_marker repaired_conflict_marker repaired_conflict_marker",
  ],
  ["heading-in-frontmatter", "S4", N, "Looks up tide tables.", "yaml_invalid repaired_closing"],
  ["heading-then-frontmatter", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["inner-unescaped-quotes", "S3", N, 'Looks up "spring" tides.', "yaml_invalid repaired_value"],
  ["keys-without-colons", "S6", N, "Looks up tide tables", "yaml_invalid repaired_opening"],
  ["keys-without-fences", "S6", N, D, "frontmatter_missing repaired_opening repaired_closing"],
  ["keys-without-opener", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["leading-blank-lines", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["leading-html-comment", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["list-with-stars", "S5", N, D, "yaml_invalid repaired_field"],
  ["markdown-escapes", "S3", N, D, "yaml_invalid repaired_value"],
  ["metadata-flow-json", "strict", N, D, ""],
  ["metadata-json-in-text", "strict", N, D, ""],
  ["metadata-multi-line-json", "strict", N, D, ""],
  ["multiline-double-quote", "S5", N, "Looks up: - high water - low water for a port", "yaml_invalid repaired_field"],
  ["multiline-single-quote", "S5", N, "Looks up: (1) high water (2) low water", "yaml_invalid repaired_field"],
  ["name-colon", "strict", "harbour:tides", D, ""],
  ["name-missing", "strict", "the-folder", D, "name_inferred"],
  ["name-non-ascii", "strict", "tide-表", D, ""],
  ["name-number", "strict", "12306", D, ""],
  ["name-slash", "strict", "harbour/tides", D, ""],
  ["name-template", "strict", "the-folder", D, "key_dropped field_type name_inferred"],
  ["name-title-case", "strict", "Tide Tables", D, ""],
  ["name-todo-list", "strict", "the-folder", D, "field_type name_inferred"],
  ["nested-brackets", "S3", N, D, "yaml_invalid repaired_value"],
  ["nested-text-after-quote", "S5", N, D, "yaml_invalid repaired_field"],
  ["nested-unquoted-colon", "S5", N, D, "yaml_invalid repaired_field repaired_field repaired_field"],
  [
    "no-frontmatter-heading",
    "none",
    "the-folder",
    "Look up the next high water.",
    "frontmatter_missing name_inferred description_inferred",
  ],
  [
    "no-frontmatter-html",
    "none",
    "the-folder",
    "Look up the next high water. </div>",
    "frontmatter_missing name_inferred description_inferred",
  ],
  ["no-frontmatter-labelled-line", "none", "the-folder", D, "frontmatter_missing name_inferred description_inferred"],
  [
    "no-frontmatter-only-heading",
    "none",
    "the-folder",
    "Tide tables",
    "frontmatter_missing name_inferred description_inferred",
  ],
  ["one-line-frontmatter", "S6", N, D, "fence_invalid repaired_opening"],
  [
    "rich-text",
    "none",
    "the-folder",
    "{\\rtf1\\ansi \\f0 Look up the next high water.",
    "frontmatter_missing name_inferred description_inferred",
  ],
  ["setext-heading-frontmatter", "S6", N, D, "repaired_opening"],
  ["spec-all-fields", "strict", N, D, ""],
  ["spec-minimal", "strict", N, D, ""],
  ["starts-with-backtick", "S3", N, "`tide` looks up tide tables.", "yaml_invalid repaired_value"],
  ["starts-with-indicator", "S3", N, D, "yaml_invalid repaired_value"],
  ["starts-with-reserved", "S3", N, "@harbour looks up tide tables.", "yaml_invalid repaired_value"],
  ["starts-with-star", "S3", N, "**Looks up** tide tables.", "yaml_invalid repaired_value"],
  [
    "symlink-text",
    "none",
    "the-folder",
    "../../commands/tide.md",
    "frontmatter_missing name_inferred description_inferred",
  ],
  [
    "text-after-closing-quote",
    "S3",
    N,
    "Looks up tide tables for each port, and compares them, high water, low water",
    "yaml_invalid repaired_value",
  ],
  ["tools-other-meaning", "strict", N, D, ""],
  ["tools-synonym", "strict", N, D, "tools_synonym"],
  [
    "translated-keys",
    "S5",
    "tide tables",
    "Look up the next high water.",
    "yaml_invalid repaired_field description_inferred",
  ],
  ["unclosed-quote", "S3", N, "Looks up tide tables.", "yaml_invalid repaired_value"],
  [
    "unindented-continuation",
    "S5",
    N,
    "Looks up tides. Good for: (1) ports (2) harbours",
    "yaml_invalid repaired_field",
  ],
  [
    "unquoted-colon-in-continuation",
    "S5",
    N,
    "Looks up tides. Use when: somebody asks. Do not use when: nobody does.",
    "yaml_invalid repaired_field",
  ],
  ["unquoted-colon", "S2", N, "Looks up tides: use when somebody asks.", "yaml_invalid repaired_unquoted_colon"],
  ["version-number", "strict", N, D, ""],
  ["toml-frontmatter", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["json-at-the-top", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["json-between-semicolons", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["opener-names-yaml", "S6", N, D, "fence_invalid repaired_opening"],
  ["opener-trailing-text", "S6", N, D, "fence_invalid repaired_opening"],
  ["opener-joined-to-field", "S6", N, D, "fence_invalid repaired_opening"],
  ["opener-long", "S6", N, D, "frontmatter_missing repaired_opening repaired_closing"],
  ["em-dash-fences", "S6", N, D, "frontmatter_missing repaired_opening repaired_closing"],
  ["frontmatter-in-comment", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["frontmatter-in-quotation", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["yaml-fence-below-heading", "S6", N, D, "frontmatter_missing repaired_opening repaired_closing"],
  ["comment-lines-before-opener", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["indented-fences", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["tab-indented-fields", "S5", N, D, "yaml_invalid repaired_field repaired_field"],
  ["field-indented-by-mistake", "S5", N, D, "yaml_invalid repaired_field"],
  ["keys-in-title-case", "strict", N, D, "key_respelled key_respelled"],
  ["keys-in-chinese", "strict", N, D, "key_respelled key_respelled"],
  ["bold-fields", "S5", N, D, "yaml_invalid repaired_field repaired_field"],
  ["bold-fields-below-heading", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["fields-as-list", "S5", N, D, "yaml_invalid repaired_field repaired_field"],
  ["fields-as-table", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["full-width-colon", "S5", N, D, "yaml_invalid repaired_field repaired_field"],
  ["no-blank-behind-colon", "S5", N, D, "yaml_invalid repaired_field repaired_field"],
  ["equals-signs", "S5", N, D, "yaml_invalid repaired_field repaired_field"],
  ["description-before-name-unfenced", "S6", N, D, "frontmatter_missing repaired_opening"],
  ["line-breaks-written-out", "S6", N, D, "fence_invalid repaired_opening"],
  ["json-commas", "S3", N, D, "yaml_invalid repaired_value repaired_value"],
  ["nested-in-metadata", "strict", N, D, ""],
  ["cr-cr-lf", "strict", N, D, "line_ends_mixed has_bare_cr"],
  ["encoding-utf16", "strict", N, D, "not_utf8"],
  ["wrapped-in-code-fence", "S6", N, D, "frontmatter_missing repaired_opening"],
];

it.each(expected)("reads the shape %s", (shape, stage, name, description, codes) => {
  const read = readShape(shape);
  const found = read.diagnostics.map((item) => item.code);
  expect(read.manifest).toMatchObject({ name, description });
  expect(read.stage).toBe(stage);
  expect(found.filter((code) => !["dropped_by_strict_loaders", "field_unknown"].includes(code)).join(" ")).toBe(codes);
  // Strict loaders would skip the skill, which is reported to its author.
  const isValid = stage === "strict" && !/_(inferred|missing|respelled)/.test(codes) && shape !== "nested-in-metadata";
  expect(found.includes("dropped_by_strict_loaders")).toBe(!isValid);
});

it("has an expectation for every shape", () => {
  expect(expected.map(([shape]) => shape).sort()).toEqual([...shapes].sort());
});

it("reports a line of the file for every repair", () => {
  for (const shape of shapes) {
    const lines = readFileSync(`${FOLDER}${shape}.md`, "utf8").split(/\r\n?|\n/).length;
    for (const { code, line } of readShape(shape).diagnostics.filter((item) => item.code.startsWith("repaired_"))) {
      expect(line, `${shape}: ${code}`).toBeGreaterThanOrEqual(1);
      expect(line, `${shape}: ${code}`).toBeLessThanOrEqual(lines);
    }
  }
});

describe("other fields of a shape", () => {
  it.each<[string, Partial<SkillManifest> | { meta: object }]>([
    ["spec-all-fields", { license: "MIT", compatibility: "Needs curl", author: "harbour", version: "1.0" }],
    ["spec-all-fields", { allowedTools: ["Bash(curl:*)", "Read"] }],
    ["allowed-tools-comma", { allowedTools: ["Bash", "Read"] }],
    ["allowed-tools-comma-patterns", { allowedTools: ["Bash(curl -s:*)", "Read"] }],
    ["allowed-tools-space", { allowedTools: ["Bash", "Read"] }],
    ["allowed-tools-space-patterns", { allowedTools: ["Bash(curl -s *)", "Read"] }],
    ["allowed-tools-list", { allowedTools: ["Bash", "Read"] }],
    ["allowed-tools-list-patterns", { allowedTools: ["Bash(curl -s *)", "Read"] }],
    ["allowed-tools-list-with-maps", { allowedTools: ["Bash(curl: *)", "Read"] }],
    ["allowed-tools-map", { allowedTools: [NO_TOOL] }],
    ["allowed-tools-star", { allowedTools: ["*"] }],
    ["tools-synonym", { allowedTools: ["Bash", "Read"] }],
    ["tools-other-meaning", { allowedTools: null, meta: { tools: ["some-agent", "another-agent"] } }],
    ["bracket-then-text", { argumentHint: "[port] [date]" }],
    ["version-number", { version: "1.10" }],
    ["date", { meta: { updated: "2026-04-17" } }],
    ["nested-brackets", { meta: { dependencies: "[tides[all], requests]" } }],
    ["list-with-stars", { meta: { triggers: ["tide", "high water metadata: {"] } }],
    ["nested-text-after-quote", { meta: { read_when: ['"tide" in message', '"port" in message'] } }],
  ])("%s", (shape, fields) => {
    expect(readShape(shape).manifest).toMatchObject(fields);
  });

  it.each([
    ...["brace-missing", "markdown-escapes", "block-map-in-unindented-braces"],
    ...["metadata-flow-json", "metadata-multi-line-json", "metadata-json-in-text"],
  ])("requirements: %s", (shape) => {
    expect(readShape(shape).manifest.requirements).toMatchObject({ bins: ["curl"], invalid: false });
  });
});
