import { describe, expect, it } from "vitest";
import { chartScale } from "./run-charts";

describe("chartScale", () => {
  it("leaves a single outlier above the scale, so that the others can be told apart", () => {
    const usual = Array.from({ length: 20 }, (_, index) => 100 + index);
    expect(chartScale([...usual, 60_000])).toEqual({ top: 118 * 1.5, beyond: 60_000 });
  });

  it.each([
    ["values of one size", [10, 20, 30, 40, 50], 50],
    ["few values", [1, 2, 900], 900],
    ["no values", [], 1],
    ["zeros", [0, 0, 0, 0, 0, 0], 1],
    ["many large values", [1, 1, 1, 1, 1, 1, 1, 90, 90, 90], 90],
  ])("fits %s", (_, values, top) => {
    expect(chartScale(values)).toEqual({ top, beyond: null });
  });
});
