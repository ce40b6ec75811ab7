import { expect, it } from "vitest";
import { countPlaywright, countVitest, printSummary, settle } from "./reports.mjs";
import { describeGaps } from "./system-tools.mjs";

const vitestReport = {
  testResults: [
    {
      name: "a.test.ts",
      status: "failed",
      assertionResults: [
        { status: "passed", fullName: "a works" },
        { status: "failed", fullName: "a breaks", failureMessages: ["\u001b[31mexpected 1\n  to be 2\u001b[39m"] },
        { status: "skipped", fullName: "a later" },
        { status: "todo", fullName: "a some day" },
      ],
    },
    { name: "b.test.ts", status: "failed", message: "Cannot find module", assertionResults: [] },
    { name: "c.test.ts", status: "passed", assertionResults: [{ status: "passed", fullName: "c works" }] },
  ],
};

const playwrightReport = {
  errors: [{ message: "SyntaxError in d.spec.ts" }],
  suites: [
    {
      title: "main.spec.ts",
      specs: [{ title: "signs in", tests: [{ status: "expected" }] }],
      suites: [
        {
          title: "runs",
          specs: [
            { title: "streams", tests: [{ status: "flaky" }] },
            { title: "cancels", tests: [{ status: "unexpected", results: [{ error: { message: "no\nbutton" } }] }] },
            { title: "waits", tests: [{ status: "skipped" }] },
          ],
        },
      ],
    },
  ],
};

it("counts vitest's tests, and a file that cannot be loaded as one failure", () => {
  const counts = countVitest(vitestReport);
  expect(counts).toMatchObject({ passed: 2, failed: 2, skipped: 2 });
  expect(counts.failures).toEqual(["a breaks: expected 1 to be 2", "b.test.ts: Cannot find module"]);
  expect(counts.skips).toEqual(["a later", "a some day"]);
});

it("counts Playwright's tests at any depth, flaky ones as passed, and errors outside tests as failures", () => {
  const counts = countPlaywright(playwrightReport);
  expect(counts).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
  expect(counts.flaky).toEqual(["main.spec.ts › runs › streams"]);
  expect(counts.failures).toEqual(["main.spec.ts › runs › cancels: no button", "SyntaxError in d.spec.ts"]);
});

it.each([
  ["has no report", null, 0],
  ["has no tests", countVitest({ testResults: [] }), 0],
  ["ended with an error outside its tests", countPlaywright({ suites: [] }), 1],
])("fails a run that %s", (_, counts, code) => {
  expect(settle(counts, { name: "vitest", code })).toMatchObject({ failed: 1 });
});

it("ends with the one line that sums up", () => {
  const lines = [];
  const steps = { passed: 6, failed: 1, skipped: 0, failures: ["types"] };
  const results = [steps, countVitest(vitestReport), countPlaywright(playwrightReport)];
  const gaps = describeGaps({ bubblewrap: false, root: true });
  const failed = printSummary(results, gaps, (line) => lines.push(line));
  expect(failed).toBe(5);
  expect(lines.at(-1)).toBe("10 passed, 5 failed, 3 skipped");
  expect(lines[0]).toMatch(/^this host: without bubblewrap/);
  expect(lines).toContain("skipped: a later");
  expect(lines).toContain("failed: types");
});
