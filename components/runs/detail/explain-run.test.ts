import { describe, expect, it } from "vitest";
import { explainRun } from "./explain-run";

const explain = (message: string) => explainRun({ error: { code: "exit_nonzero", message } });

describe("explainRun", () => {
  it("shows the last lines of stderr without colours", () => {
    const lines = Array.from({ length: 9 }, (_, index) => `\u001b[31mline ${index + 1}\u001b[0m`).join("\n");
    expect(explain(`exit 3 (stderr: ${lines})`)).toEqual({
      what: "The program failed with exit code 3.",
      stderr: ["…", "line 5", "line 6", "line 7", "line 8", "line 9"],
    });
  });

  it.each([
    [
      "exit 7 (stderr: cannot find the file)",
      { what: "The program failed with exit code 7.", stderr: ["cannot find the file"] },
    ],
    ["exit 7 (stderr: f(x) failed)", { what: "The program failed with exit code 7.", stderr: ["f(x) failed"] }],
    ["It took longer than 30 s.", { what: "It took longer than 30 s.", stderr: [] }],
  ])("reads %j", (message, reason) => {
    expect(explain(message)).toEqual(reason);
  });

  it("leaves the reason of a failed step to the step", () => {
    const error = { code: "step_failed", message: "Step 2 (fetch) failed. exit 3 (stderr: no network)" };
    expect(explainRun({ error, pipeline: { waitsFor: null } })).toEqual({ what: "Step 2 (fetch) failed.", stderr: [] });
  });

  it("returns null without an error", () => {
    expect(explainRun({ error: null })).toBeNull();
  });
});
