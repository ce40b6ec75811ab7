import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pipelineFlow } from "./pipeline-flow";
import type { PipelineStep } from "./schema";

const step = (argumentsTemplate: string, outputKey: string | null = null): PipelineStep => ({
  ...{ toolName: "tool", skillName: null, argumentsTemplate, outputKey },
});

describe("pipelineFlow", () => {
  it("says where each argument comes from, and who uses a result", () => {
    const flow = pipelineFlow([
      step('{"path": {folder}, "limit": 5}', "files"),
      step('{"text": "About {topic.name}: {files}"}', "report"),
      step('{"list": "{files.items}", "body": {report}}'),
    ]);
    expect(flow).toEqual([
      {
        key: "files",
        usedBy: [1, 2],
        problem: null,
        inputs: [
          { argument: "path", value: "{folder}", isWhole: true, origins: [{ kind: "argument", name: "folder" }] },
          { argument: "limit", value: 5, isWhole: false, origins: [] },
        ],
      },
      {
        key: "report",
        usedBy: [2],
        problem: null,
        inputs: [
          {
            argument: "text",
            value: "About {topic.name}: {files}",
            isWhole: false,
            origins: [
              { kind: "argument", name: "topic.name" },
              { kind: "step", step: 0, name: "files" },
            ],
          },
        ],
      },
      {
        key: "step-3",
        usedBy: [],
        problem: null,
        inputs: [
          {
            argument: "list",
            value: "{files.items}",
            isWhole: true,
            origins: [{ kind: "step", step: 0, name: "files.items" }],
          },
          { argument: "body", value: "{report}", isWhole: true, origins: [{ kind: "step", step: 1, name: "report" }] },
        ],
      },
    ]);
  });

  it("names the problem at its step", () => {
    const [early, broken] = pipelineFlow([step('{"a": {late}}'), step("{nonsense", "late")]);
    expect(early?.problem).toBe("It uses {late}, which step 2 produces later.");
    expect(broken?.problem).toMatch(/^Its arguments template is invalid: it is not JSON/);
  });

  it("never throws, and no step uses a later one", () => {
    const text = fc.oneof(fc.json(), fc.constantFrom('{"a":{x}}', '{"a":"{y} {x.z}"}', '{"a":{{x}}}', "{"));
    const steps = fc.array(fc.tuple(text, fc.constantFrom(null, "x", "y")).map(([args, key]) => step(args, key)));
    fc.assert(
      fc.property(steps, (drawn) => {
        for (const [index, { inputs, usedBy }] of pipelineFlow(drawn).entries()) {
          expect(usedBy.every((user) => user > index)).toBe(true);
          expect(
            inputs.flatMap(({ origins }) => origins).every((one) => one.kind === "argument" || one.step < index),
          ).toBe(true);
        }
      }),
    );
  });
});
