import { describe, expect, it } from "vitest";
import { splitSkills } from "./archive/split-skills";
import { readSkill } from "./manifest/read-skill";
import { skillFiles } from "./testing/skill-files";

/** Documented behaviour of the parsers of earlier systems. */
const read = (contents: Record<string, string | Uint8Array>, folder = "the-folder") => {
  const { manifest, diagnostics } = readSkill(skillFiles(contents), { folder });
  return { manifest, diagnostics, codes: diagnostics.map((item) => item.code) };
};
const md = (block: string, body = "# Body\n") => read({ "SKILL.md": `---\n${block}\n---\n${body}` });
const basic = "name: my-skill\ndescription: Does things.";

describe("SKILL.md packs of ongrid", () => {
  it("a minimal skill needs a name and a description only", () => {
    expect(md(basic).codes).toEqual([]);
  });

  it("a name with dashes stays, and models get it in lower_snake", () => {
    expect(md(basic).manifest).toMatchObject({ name: "my-skill", toolName: "my_skill" });
  });

  it("unknown scalars, mappings and lists are kept, but not known fields", () => {
    const { manifest } = md(`${basic}\nx-text: a\nx-map: {b: 1}\nx-list: [c]\nwhen_to_use: d`);
    expect(manifest.meta).toEqual({ "x-text": "a", "x-map": { b: 1 }, "x-list": ["c"] });
  });

  it("a missing description is reported, and the skill still loads", () => {
    expect(md("name: a").codes).toContain("dropped_by_strict_loaders");
  });

  it("a fence may have trailing blanks, and an unclosed opening is reported", () => {
    expect(read({ "SKILL.md": `---  \n${basic}\n---\t\n# Body\n` }).codes).toEqual([]);
    expect(read({ "SKILL.md": `---\n${basic}\n` }).codes).toContain("fence_unclosed");
  });

  it("a native skill with all fields is read", () => {
    const { manifest, codes } = md(`name: query_promql
description: Runs a query.
when_to_use: When somebody asks for a metric.
activation: {mode: always}
metadata:
  os: [linux, darwin]
  requires: {bins: [], config: []}
  ongrid: {scope: manager, activation: {mode: always}}
tools:
  - {name: query_promql, impl: "builtin:prom.Query", class: read, description: Runs a query.}`);
    expect(codes).toEqual([]);
    expect(manifest).toMatchObject({ scope: "manager", activation: { mode: "always" }, declaredClass: null });
    expect(manifest.requirements.os).toEqual(["linux", "macos"]);
    expect(manifest.tools).toHaveLength(1);
  });
});

describe("Personal Agent", () => {
  it("a file without frontmatter is all body", () => {
    expect(read({ "SKILL.md": "# Only\n\nText.\n" }).manifest.body).toBe("# Only\n\nText.\n");
  });

  it("names become slugs of at most 64 characters, and the original stays", () => {
    expect(md("name: Weekly Report!\ndescription: d").manifest).toMatchObject({
      name: "Weekly Report!",
      slug: "weekly-report",
    });
  });

  it("a description over 1,024 characters is reported and kept", () => {
    const { manifest, codes } = md(`name: a\ndescription: ${"x".repeat(1_100)}`);
    expect(codes).toEqual(["description_long"]);
    expect(manifest.description).toHaveLength(1_100);
  });

  it.each(["when-to-use: now", "when_to_use: now"])("hyphens and underscores are equal: %s", (line) => {
    expect(md(`${basic}\n${line}`).manifest.whenToUse).toBe("now");
  });

  it("metadata stays unchanged", () => {
    const { manifest } = md(`${basic}\nmetadata: {author: Ada, version: "1.0", deep: {a: [1, null]}}`);
    expect(manifest.meta).toEqual({ metadata: { author: "Ada", version: "1.0", deep: { a: [1, null] } } });
  });

  it("every file of the folder is kept, regardless of folder, size and kind", () => {
    const files = skillFiles({
      "SKILL.md": `---\n${basic}\n---\n`,
      "src/a.bin": new Uint8Array([0, 255]),
      "b.txt": "x".repeat(300_000),
    });
    expect(splitSkills(files, { fallbackName: "x" }).skills[0]?.files).toHaveLength(3);
  });
});

describe("OpenJarvis", () => {
  it.each(["MySkill", "-skill", "skill-", "my--skill", "my skill"])(
    "a name that the strict pass refuses still loads: %s",
    (name) => {
      expect(md(`name: ${JSON.stringify(name)}\ndescription: d`).manifest.name).toBe(name);
    },
  );

  it("frontmatter that is a list does not throw", () => {
    expect(md("- a\n- b").codes).toContain("yaml_invalid");
  });

  it("a byte order mark does not change the name", () => {
    expect(read({ "SKILL.md": `\ufeff---\n${basic}\n---\n` }).manifest.name).toBe("my-skill");
  });

  it("license, compatibility and allowed-tools are in the manifest", () => {
    const { manifest } = md(`${basic}\nlicense: MIT\ncompatibility: any\nallowed-tools: Read`);
    expect(manifest).toMatchObject({ license: "MIT", compatibility: "any", allowedTools: ["Read"] });
  });

  it("the body is never translated", () => {
    expect(md(basic, "Read the docs, then Write a Task list.\n").manifest.body).toBe(
      "Read the docs, then Write a Task list.\n",
    );
  });

  it("a category's DESCRIPTION.md is not a skill", () => {
    const files = skillFiles({
      "ops/DESCRIPTION.md": "---\nname: ops\n---\n",
      "ops/a/SKILL.md": `---\n${basic}\n---\n`,
    });
    const { skills, diagnostics } = splitSkills(files, { fallbackName: "x" });
    expect(skills.map((skill) => skill.location)).toEqual(["ops/a"]);
    expect(diagnostics.map((item) => item.code)).toEqual(["outside_of_skills", "category_skipped"]);
  });
});

describe("GSV", () => {
  it("a skill without a description is described by its first paragraph, at most 200 characters of it", () => {
    const { manifest } = md("name: a", `# Title\n\n## More\n\n${"word ".repeat(60)}\nnext line\n\nAnother.\n`);
    expect(manifest.description).toMatch(/^word word/);
    expect([...manifest.description].length).toBeLessThanOrEqual(200);
  });

  it("metadata may be JSON over several lines with trailing commas", () => {
    const block = `${basic}\nmetadata:\n  {\n    "openclaw":\n      {\n        "emoji": "🐙",\n        "requires": { "capabilities": ["shell.exec"], },\n        "install": [{ "id": "brew", "kind": "brew", "formula": "gh", "bins": ["gh"], }, ],\n      },\n  }`;
    const { manifest, codes } = md(block);
    expect(codes).toEqual([]);
    expect(manifest).toMatchObject({ emoji: "🐙", requirements: { capabilities: ["shell.exec"], invalid: false } });
    expect(manifest.install).toMatchObject([{ kind: "brew", target: "gh" }]);
  });

  it("single quotes around JSON, comments after booleans and block scalars lose nothing", () => {
    const { manifest } = md(
      `name: a\ndescription: >\n  Folded\n  text.\nalways: true # c\nmetadata: '{"gsv": {"emoji": "x"}}'`,
    );
    expect(manifest).toMatchObject({ description: "Folded text.", always: true, emoji: "x" });
  });

  it("a misspelt capability and unreadable metadata fail closed", () => {
    const { manifest } = md(`${basic}\nmetadata: {gsv: {requires: {capabilities: [shell.exce]}}}`);
    expect(manifest.requirements).toMatchObject({ capabilities: ["shell.exce"], invalid: false });
    expect(md(`${basic}\nmetadata: '{"gsv": {"requires": ]}'`).manifest.requirements.invalid).toBe(true);
  });

  it("the body is unchanged", () => {
    const body = "\n  # Not at the margin\r\n\r\ntext\t\n";
    expect(md(basic, body).manifest.body).toBe(body);
  });
});
