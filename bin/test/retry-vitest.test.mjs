import { expect, it } from "vitest";
import { countVitest, filesToRetry, mergeRetry } from "./reports.mjs";

const test = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages });
const file = (name, status, ...assertionResults) => ({ name, status, assertionResults });
const first = {
  testResults: [
    file("a", "passed", test("a works", "passed")),
    file("b", "failed", test("b works", "passed"), test("b stumbles", "failed", ["too late"])),
    file("c", "failed", test("c breaks", "failed", ["always"])),
  ],
};

it("tries whole files again, and none when many failed", () => {
  expect(filesToRetry(first)).toEqual(["b", "c"]);
  expect(filesToRetry({ testResults: "123456".split("").map((name) => file(name, "failed")) })).toEqual([]);
});

it("counts what passed in the end as passed and names it, and what failed again as failed", () => {
  const second = {
    testResults: [
      file("b", "passed", test("b works", "passed"), test("b stumbles", "passed")),
      file("c", "failed", test("c breaks", "failed", ["still"])),
    ],
  };
  expect(countVitest(mergeRetry(first, second))).toMatchObject({
    ...{ passed: 3, failed: 1, skipped: 0 },
    ...{ flaky: ["b stumbles: too late"], failures: ["c breaks: still"] },
  });
});

it("a file that cannot be loaded the second time has failed", () => {
  const second = { testResults: [file("b", "failed"), file("c", "passed", test("c breaks", "passed"))] };
  expect(countVitest(mergeRetry(first, second))).toMatchObject({ passed: 2, failed: 1 });
});
