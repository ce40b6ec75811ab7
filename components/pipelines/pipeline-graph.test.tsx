import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { type GraphStep, PipelineGraph } from "./pipeline-graph";

afterEach(cleanup);

const step = (index: number, more: Partial<GraphStep> = {}): GraphStep => ({
  ...{ index, stepKey: `key-${index}`, name: `tool_${index}`, calls: "tool", href: null, chips: "Not started" },
  ...more,
});

it("is an ordered list of steps that link to their runs", () => {
  render(<PipelineGraph label="Steps" steps={[step(0, { href: "/runs/abc", chips: "Running" }), step(1)]} />);
  const items = within(screen.getByRole("list", { name: "Steps" })).getAllByRole("listitem");
  expect(items.map((item) => item.textContent)).toEqual([
    "Step 1 · key-0tool_0, a toolRunning",
    "Step 2 · key-1tool_1, a toolNot started",
  ]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/runs/abc"]);
});

it("shows the problem of a step", () => {
  render(<PipelineGraph label="Steps" steps={[step(0, { problem: "It is switched off." })]} />);
  expect(screen.getByText("It is switched off.")).toBeTruthy();
});
