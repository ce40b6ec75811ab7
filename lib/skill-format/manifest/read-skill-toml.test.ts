import { expect, it } from "vitest";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { readSkill } from "./read-skill";

const read = (files: Record<string, string>) => {
  const { manifest, diagnostics } = readSkill(skillFiles(files), { folder: "my-folder" });
  return { manifest, diagnostics, codes: diagnostics.map((item) => item.code) };
};
const TOML = `[skill]
name = "research"
version = "0.2.0"
description = "Searches and sums up."
tags = ["web"]
required_capabilities = ["network:fetch"]
signature = "abc"

[[skill.steps]]
tool_name = "web_search"
arguments_template = '{"query": "{topic}"}'
output_key = "found"

[[skill.steps]]
skill_name = "sum-up"
`;

it("reads a pipeline and its steps", () => {
  const { manifest, codes } = read({ "skill.toml": TOML });
  expect(codes).toEqual([]);
  expect(manifest).toMatchObject({ kind: "pipeline", name: "research", version: "0.2.0", tags: ["web"], body: "" });
  expect(manifest).toMatchObject({ requiredCapabilities: ["network:fetch"], signature: "abc", meta: {} });
  expect(manifest.steps).toEqual([
    { toolName: "web_search", skillName: null, argumentsTemplate: '{"query": "{topic}"}', outputKey: "found" },
    { toolName: null, skillName: "sum-up", argumentsTemplate: "{}", outputKey: null },
  ]);
});

it("reads structured fields from the TOML and the text from the SKILL.md", () => {
  const md = "---\nname: other\ndescription: Other.\nlicense: MIT\n---\n# How\n";
  expect(read({ "skill.toml": TOML, "SKILL.md": md }).manifest).toMatchObject({
    ...{ kind: "pipeline", name: "research", description: "Searches and sums up.", license: "MIT", body: "# How\n" },
  });
  expect(read({ "skill.toml": '[skill]\nname = "a"', "SKILL.md": md }).manifest).toMatchObject({
    kind: "playbook",
    name: "a",
  });
});

it("reads fields without a [skill] table, and templates that are tables", () => {
  const { manifest } = read({
    "skill.toml": 'name = "a"\ndescription = "b"\n[[steps]]\ntool_name = "t"\narguments_template = {x = "{y}"}',
  });
  expect(manifest.steps[0]?.argumentsTemplate).toBe('{"x":"{y}"}');
});

it("turns dates into texts and drops keys that reach a prototype", () => {
  const { manifest } = read({
    "skill.toml": '[skill]\nname = "a"\ndescription = "b"\nupdated = 2026-04-17\n__proto__ = {x = 1}',
  });
  expect(manifest.meta).toEqual({ updated: "2026-04-17" });
  expect(({} as { x?: number }).x).toBeUndefined();
});

it.each([
  ["broken TOML", '[skill]\nname = "a', "toml_invalid", 2],
  ["a repeated key", '[skill]\nname = "a"\nname = "b"', "toml_invalid", 3],
  ["a step that names nothing", '[skill]\nname = "a"\n[[skill.steps]]\noutput_key = "x"', "step_invalid", undefined],
  [
    "a step that names a tool and a skill",
    '[skill]\n[[skill.steps]]\ntool_name = "x"\nskill_name = "y"',
    "step_invalid",
    undefined,
  ],
  ["steps that are no tables", '[skill]\nsteps = ["x"]', "step_invalid", undefined],
  ["too many steps", `[skill]\n${'[[skill.steps]]\ntool_name = "x"\n'.repeat(101)}`, "steps_too_many", undefined],
  ["deep nesting", `a = ${"[".repeat(5_000)}${"]".repeat(5_000)}`, "toml_invalid", undefined],
])("refuses %s", (_name, text, code, line) => {
  const { diagnostics } = read({ "skill.toml": text });
  const found = diagnostics.find((item) => item.code === code);
  expect(found).toMatchObject({ severity: "error", path: "skill.toml" });
  if (line !== undefined) expect(found?.line).toBe(line);
});
