import { expect, test } from "vitest";
import { readSkill } from "./manifest/read-skill";
import { pipelineParameters, pipelineSchema } from "./pipeline-steps";
import { skillFiles } from "./testing/skill-files";

const step = (argumentsTemplate: string, outputKey: string | null = null) => ({
  ...{ toolName: "t", skillName: null, argumentsTemplate, outputKey },
});

test("parameters are the placeholders that no earlier step produces; output keys are hidden", () => {
  const steps = [step('{"query": "{topic}"}', "found"), step('{"text": "{found} for {reader}"}')];
  expect(pipelineParameters(steps).parameters.map(({ name }) => name)).toEqual(["topic", "reader"]);
  expect(pipelineSchema(steps, [null, null])).toEqual({
    type: "object",
    properties: { topic: { type: "string", description: "Passed to step 1 as query." }, reader: { type: "string" } },
    required: ["topic", "reader"],
    additionalProperties: false,
  });
});

test("a parameter that is passed as a whole has the type of the step’s skill, else it is a text", () => {
  const target = { type: "object", properties: { limit: { type: "integer", minimum: 1 }, on: { $ref: "#/$defs/x" } } };
  const { properties } = pipelineSchema([step('{"limit": {n}, "on": {flag}, "other": {o}}')], [target]);
  expect(properties).toEqual({
    n: { type: "integer", minimum: 1, description: "Passed to step 1 as limit." },
    flag: { type: "string", description: "Passed to step 1 as on." },
    o: { type: "string", description: "Passed to step 1 as other." },
  });
});

test("a parameter in a place that the step’s schema marks as secret is marked", () => {
  const secret = { type: "string", writeOnly: true };
  const target = {
    $defs: { S: secret },
    properties: { ref: { $ref: "#/$defs/S" } },
    patternProperties: { "^s_": secret },
  };
  const open = step('{"text": "{part} {ref} {name}"}');
  const hidden = step('{"ref": "{ref}", "s_a": "Bearer {part.key} {{name}}", "text": "{name}"}');
  const { properties } = pipelineSchema([open, hidden], [null, target]);
  expect(properties).toMatchObject({ ref: { writeOnly: true }, part: { writeOnly: true } });
  expect(properties).toHaveProperty("name", { type: "string", description: "Passed to step 2 as text." });
});

test("a placeholder that only a later step produces, and a template that is not JSON, are errors at review", () => {
  const toml = `[skill]
name = "early"
description = "x"
[[skill.steps]]
tool_name = "a"
arguments_template = '{"x": "{summary}"}'
[[skill.steps]]
tool_name = "b"
arguments_template = '{"x": }'
output_key = "summary"
`;
  const { diagnostics } = readSkill(skillFiles({ "skill.toml": toml }), { folder: "early" });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "placeholder_unknown", path: "skill.toml", message: expect.stringContaining("step 2 produces later") },
    { code: "template_invalid", path: "skill.toml", message: expect.stringContaining("step 2") },
  ]);
});

test("steps in the metadata of a SKILL.md make a pipeline that keeps its text", () => {
  const md = `---
name: brief
description: Reads and sums up.
metadata:
  openjarvis:
    steps:
      - tool_name: web_fetch
        arguments_template: '{"url": "{url}"}'
        output_key: page
      - skill_name: sum-up
        arguments_template: {text: "{page}"}
---
Read it out.
`;
  const { manifest, diagnostics } = readSkill(skillFiles({ "SKILL.md": md }), { folder: "brief" });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(manifest).toMatchObject({ kind: "pipeline", body: "Read it out.\n", entry: null });
  expect(manifest.steps.map(({ toolName, skillName }) => toolName ?? skillName)).toEqual(["web_fetch", "sum-up"]);
  expect(manifest.schema).toMatchObject({ required: ["url"], additionalProperties: false });
});

test("a list of steps that are words stays a field of its author", () => {
  const md = "---\nname: how\ndescription: x\nsteps: [look, listen]\n---\nBody\n";
  const { manifest, diagnostics } = readSkill(skillFiles({ "SKILL.md": md }), { folder: "how" });
  expect(manifest).toMatchObject({ kind: "playbook", steps: [], schema: null });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
