import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_REQUIREMENTS, SkillManifest } from "@/lib/skill-format/schema";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { readSkill } from "./read-skill";

const read = (contents: Record<string, string | Uint8Array>, folder = "my-folder") => {
  const result = readSkill(skillFiles(contents), { folder });
  return { ...result, codes: result.diagnostics.map((item) => item.code) };
};
const md = (block: string, body = "# Title\n\nFirst paragraph.\n") =>
  read({ "SKILL.md": `---\n${block}\n---\n${body}` });
const basic = "name: my-skill\ndescription: Does things.";

describe("a SKILL.md", () => {
  it("gives every known field", () => {
    const block = `name: My Skill
description: Does things.
license: MIT
compatibility: Needs git
metadata: {author: me, nested: {deep: [1]}}
allowed-tools: Bash(git add:*) Read
when_to_use: When asked.
version: 1.10
author: Ada
tags: [a, b]
category: ops
homepage: https://example.com
always: true
user-invocable: false
disable-model-invocation: true
context: fork
label: The skill
requires: {bins: [git]}
depends: [other]
class: write
scope: edge
argument-hint: [file]`;
    const { manifest, codes } = md(block);
    expect(codes).toEqual([]);
    expect(manifest).toEqual({
      ...{ kind: "playbook", name: "My Skill", slug: "my-skill", toolName: "my_skill", label: "The skill" },
      ...{ description: "Does things.", whenToUse: "When asked.", declaredClass: "mutating", scope: "host" },
      ...{ category: "ops", resultPreview: null, schema: null, author: "Ada", version: "1.10", license: "MIT" },
      ...{ compatibility: "Needs git", homepage: "https://example.com", always: true, tags: ["a", "b"] },
      ...{ requires: { bins: ["git"] }, depends: ["other"], userInvocable: false, disableModelInvocation: true },
      ...{ disallowedTools: null, argumentHint: "[file]", arguments: [], agent: null, model: null, effort: null },
      ...{
        hooks: null,
        shell: null,
        inlineCommands: [],
        paths: [],
        activation: null,
        install: [],
        emoji: null,
        steps: [],
        tools: [],
        signature: null,
        carries: [{ path: "SKILL.md", by: "client", what: "the tool Bash(git add:*) without asking" }],
      },
      ...{ requirements: { ...NO_REQUIREMENTS, bins: ["git"] }, requiredCapabilities: [] },
      ...{ overlay: null, interface: null },
      ...{ allowedTools: ["Bash(git add:*)", "Read"], contextFork: true, entry: null, envAllow: [] },
      ...{ timeoutSeconds: null, body: "# Title\n\nFirst paragraph.\n" },
      meta: { metadata: { author: "me", nested: { deep: [1] } } },
    });
  });

  it("has defaults for all other fields", () => {
    const { manifest } = md(basic);
    expect(manifest).toMatchObject({ category: "external", scope: "manager", declaredClass: null, allowedTools: null });
    expect(manifest).toMatchObject({ userInvocable: true, always: false, meta: {}, tags: [], version: null });
  });

  it.each([
    ["allowed_tools: Read, Write", { allowedTools: ["Read", "Write"] }],
    ["allowed-tools:\n  - Read\n  - Bash(git *)", { allowedTools: ["Read", "Bash(git *)"] }],
    ["allowed-tools: []", { allowedTools: [] }],
    ["when-to-use: Now", { whenToUse: "Now" }],
    ["user_invocable: false", { userInvocable: false }],
    ["always: 'true'", { always: true }],
    ["context_fork: true", { contextFork: true }],
    ["context: inline", { contextFork: false, meta: { context: "inline" } }],
    ["compatibility: {claude-code: true}", { compatibility: '{"claude-code":true}' }],
    ["tags: a, b ,c", { tags: ["a", "b", "c"] }],
    ["author: [Ada, Bob]", { author: "Ada, Bob" }],
    ["version: 2", { version: "2" }],
    ["version: 1.0", { version: "1.0" }],
    ["class: read", { declaredClass: "safe" }],
    ["class: destructive", { declaredClass: "dangerous" }],
    ["class: dangerous", { declaredClass: "dangerous" }],
    ["scope: host", { scope: "host" }],
    ["x-custom: {a: [1, {b: null}]}", { meta: { "x-custom": { a: [1, { b: null }] } } }],
    ["metadata: '{\"a\": 1}'", { meta: { metadata: '{"a": 1}' } }],
  ])("understands %j", (block, expected) => {
    const { manifest, codes } = md(`${basic}\n${block}`);
    expect(codes).toEqual(block.startsWith("x-") ? ["field_unknown"] : []);
    expect(manifest).toMatchObject(expected);
  });

  it.each([
    ["always: maybe", "field_type", { always: false, meta: { always: "maybe" } }],
    ["tags: {a: 1}", "field_type", { tags: [], meta: { tags: { a: 1 } } }],
    ["requires: [git]", "requirements_invalid", { requires: {}, meta: { requires: ["git"] } }],
    ["class: fancy", "class_invalid", { declaredClass: null, meta: { class: "fancy" } }],
    ["class: constructor", "class_invalid", { declaredClass: null }],
    ["scope: project", "scope_unknown", { scope: "manager", meta: { scope: "project" } }],
    [
      "allowed-tools: Read\nallowed_tools: Bash",
      "field_repeated",
      { allowedTools: ["Read"], meta: { allowed_tools: "Bash" } },
    ],
  ])("warns about %j and keeps it", (block, code, expected) => {
    const { manifest, diagnostics } = md(`${basic}\n${block}`);
    expect(diagnostics).toMatchObject([{ code, severity: "warning", path: "SKILL.md" }]);
    expect(manifest).toMatchObject(expected);
  });

  it("reports the line of a field with a problem", () => {
    expect(md(`${basic}\ntags: {a: 1}`).diagnostics[0]).toMatchObject({ line: 4 });
  });

  it("may have a byte order mark, CRLF and a lower-case name", () => {
    const { manifest, codes } = read({ "skill.md": "\ufeff---\r\nname: a\r\ndescription: b\r\n---\r\nHi\r\n" });
    expect(codes).toEqual(["has_bom", "line_ends_crlf"]);
    expect(manifest).toMatchObject({ name: "a", description: "b", body: "Hi\r\n" });
  });

  it("may have no frontmatter: name and description are inferred and reported", () => {
    const { manifest, codes } = read({ "SKILL.md": "# Title\n\nDoes one\nthing.\n\nMore." });
    expect(codes).toEqual([
      "frontmatter_missing",
      "dropped_by_strict_loaders",
      "name_inferred",
      "description_inferred",
    ]);
    expect(manifest).toMatchObject({ name: "my-folder", slug: "my-folder", description: "Does one thing." });
  });

  it("keeps the body and infers the rest when its YAML is broken", () => {
    const { manifest, codes } = md("- x", "Description: Labelled.\n\nOther.");
    expect(codes).toEqual(["yaml_invalid", "dropped_by_strict_loaders", "name_inferred", "description_inferred"]);
    expect(manifest).toMatchObject({
      name: "my-folder",
      description: "Labelled.",
      body: "Description: Labelled.\n\nOther.",
    });
  });

  it("never evaluates other languages", () => {
    const { manifest, diagnostics } = read({ "SKILL.md": "---js\n{name: 'x'}\n---\n" });
    expect(diagnostics[0]).toMatchObject({ code: "fence_invalid", severity: "error" });
    expect(manifest.name).toBe("my-folder");
  });

  it.each([
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x2d, 0x00]), "not_utf8"],
    ["Latin-1", new Uint8Array([0x63, 0x61, 0x66, 0xe9]), "not_utf8"],
    ["NUL", new Uint8Array([0x61, 0, 0x62]), "has_nul"],
    ["nothing", new Uint8Array(), "file_empty"],
  ])("is unusable with %s", (_name, bytes, code) => {
    const { diagnostics } = read({ "SKILL.md": bytes });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code, severity: "error" }));
  });

  it.each([
    ["a 10 MB line", "x".repeat(10_000_000)],
    ["lone CR", "---\rname: a\r---\rbody"],
    ["mixed line ends and form feeds", "---\nname: a\r\n---\n\f\rbody"],
  ])("is read with %s", (_name, text) => {
    expect(() => read({ "SKILL.md": text })).not.toThrow();
  });
});

describe("names", () => {
  it.each([
    ["My  Skill!", "my-skill", "my_skill"],
    ["--a_b.c--", "a-b-c", "a_b_c"],
    ["3d-print", "3d-print", "skill_3d_print"],
    ["x".repeat(80), "x".repeat(64), "x".repeat(64)],
    ["数据", "u6570-u636e", "u6570_u636e"],
  ])("make slugs and tool names: %s", (name, slug, toolName) => {
    expect(md(`name: '${name}'\ndescription: d`).manifest).toMatchObject({ name, slug, toolName });
  });

  it.each([
    ["'0190163d-8694-739b-aea5-966c26f8ad91'", "name_id_shaped"],
    ["'{0190163D-8694-739B-AEA5-966C26F8AD91}'", "name_id_shaped"],
    ["'--- !'", "name_invalid"],
    ['"a\\u202eb"', "name_invalid"],
    ['"a\\nb"', "name_invalid"],
  ])("are refused: %s", (name, code) => {
    expect(md(`name: ${name}\ndescription: d`).diagnostics).toContainEqual(
      expect.objectContaining({ code, severity: "error" }),
    );
  });

  it("may look like numbers or templates", () => {
    expect(md("name: 12306\ndescription: d").manifest.name).toBe("12306");
    expect(md("name: {{SKILL_NAME}}\ndescription: d").codes).toContain("name_inferred");
  });
});

describe("descriptions", () => {
  it("may be long, with a warning", () => {
    expect(md(`name: a\ndescription: ${"x".repeat(1025)}`).codes).toEqual(["description_long"]);
    expect(md(`name: a\ndescription: ${"x".repeat(1024)}`).codes).toEqual([]);
  });

  it("are cut at 200 characters when they are inferred", () => {
    const { manifest } = md("name: a", "é".repeat(300));
    expect([...manifest.description]).toHaveLength(200);
  });

  it("are the first heading when there is no paragraph", () => {
    const { manifest, codes } = md("name: a", "# Only\n## headings\n");
    expect(manifest.description).toBe("Only");
    expect(codes).toEqual(["dropped_by_strict_loaders", "description_inferred"]);
  });

  it("may be missing altogether, with a warning", () => {
    expect(md("name: a", "").codes).toEqual(["dropped_by_strict_loaders", "description_missing"]);
  });
});

describe("a folder", () => {
  it("with only a skill.toml is a pipeline", () => {
    const { manifest, codes } = read({ "skill.toml": '[skill]\ndescription = "d"' });
    expect(manifest).toMatchObject({ kind: "pipeline", name: "my-folder", description: "d", steps: [] });
    expect(codes).toEqual(["name_inferred"]);
  });

  it("without any manifest is reported", () => {
    expect(read({ "README.md": "x" }).codes).toContain("skill_missing");
  });
});

it("never throws and always returns a manifest, for any file", () => {
  const line = fc.oneof(
    fc.constantFrom("---", "name: a", "allowed-tools: [Read, {a: b}]", "tags:", "version: 1.0", "class: [x]", "- x"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, fence) => {
      const { manifest } = read({ "SKILL.md": [...(fence ? ["---"] : []), ...lines].join("\n") });
      expect(SkillManifest.parse(manifest)).toEqual(manifest);
    }),
    { numRuns: 500 },
  );
});

it("reports a missing description once, also for a pack", () => {
  const files = skillFiles({
    "skill.json": '{"name":"tides","entry":"run.sh","class":"safe"}',
    "run.sh*": "#!/bin/sh\n",
  });
  const codes = readSkill(files, { folder: "tides" }).diagnostics.map((item) => item.code);
  expect(codes.filter((code) => code === "description_missing")).toEqual(["description_missing"]);
});

it("fails closed on unreadable requirements, with the line, and keeps them in the manifest", () => {
  const md = "---\nname: tides\ndescription: d\nmetadata:\n  gsv: {requires: {capabilities: shell.exec}}\n---\n";
  const { manifest, diagnostics } = readSkill(skillFiles({ "SKILL.md": md }), { folder: "tides" });
  expect(manifest.requirements.invalid).toBe(true);
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: "requirements_invalid", severity: "warning", path: "SKILL.md", line: 4 }),
  );
});
