import { describe, expect, it } from "vitest";
import { describeTerms } from "./run-terms";

describe("describeTerms", () => {
  it("says in one line what a run may touch", () => {
    expect(describeTerms({ class: "mutating", env: ["A", "B", "C"], timeoutSeconds: 30 }, "none")).toBe(
      "It changes things, gets A, B and C from the environment and is stopped after 30 s. It is not isolated from this host.",
    );
    expect(describeTerms({ class: "safe", env: [], timeoutSeconds: 5 }, "sandbox")).toBe(
      "It only reads, gets no environment variables and is stopped after 5 s. It runs in a sandbox.",
    );
  });
});
