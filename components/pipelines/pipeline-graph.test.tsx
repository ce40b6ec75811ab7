import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { pipelineFlow, type StepFlow } from "@/lib/skill-format/pipeline-flow";
import { type GraphStep, lanesOf, PipelineGraph } from "./pipeline-graph";

afterEach(cleanup);

const step = (index: number, more: Partial<GraphStep> = {}): GraphStep => ({
  ...{ index, stepKey: `key-${index}`, name: `tool_${index}`, calls: "tool", href: null, chips: "Not started" },
  ...{ inputs: [], usedBy: [], ...more },
});

it("is an ordered list of steps that link to their runs, with their inputs and the users of their results", () => {
  const [first, second] = pipelineFlow([
    { toolName: "a", skillName: null, argumentsTemplate: '{"path": {folder}, "limit": 5}', outputKey: "key-0" },
    { toolName: "b", skillName: null, argumentsTemplate: '{"text": "Of {folder}: {key-0}"}', outputKey: "key-1" },
  ]);
  const steps = [step(0, { href: "/runs/abc", chips: "Running", ...pickFlow(first) }), step(1, pickFlow(second))];
  const { rerender } = render(<PipelineGraph label="Steps" steps={steps} />);
  const texts = () =>
    within(screen.getByRole("list", { name: "Steps" }))
      .getAllByRole("listitem")
      .map((item) => item.textContent);
  expect(texts()).toEqual([
    "Step 1tool_0, a toolRunningpathArgument folderlimit5Resultkey-0, used by step 2",
    "Step 2tool_1, a toolNot startedtextOf {folder}: {key-0}from argument folderfrom result of step 1 key-0Resultkey-1",
  ]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/runs/abc"]);
  rerender(<PipelineGraph label="Steps" steps={steps} args={{ folder: "/srv" }} />);
  expect(texts()[0]).toContain("path/srvfrom argument folder");
  expect(texts()[1]).toContain("textOf /srv: {key-0}from argument folder");
});

function pickFlow(flow: StepFlow | undefined): Pick<GraphStep, "inputs" | "usedBy"> {
  return { inputs: flow?.inputs ?? [], usedBy: flow?.usedBy ?? [] };
}

it("gives lines that pass the same step a lane each", () => {
  const edges = [
    { from: 0, to: 1 },
    { from: 0, to: 3 },
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ];
  expect(lanesOf(edges)).toEqual([0, 1, 0, 0]);
});

it("shows the problem of a step", () => {
  render(<PipelineGraph label="Steps" steps={[step(0, { problem: "It is switched off." })]} />);
  expect(screen.getByText("It is switched off.")).toBeTruthy();
});
