import { expect, test } from "vitest";
import { SkillClass } from "@/lib/skill-format/schema";
import { Isolation, isIsolatedEnough, weakestIsolation } from "./worker-allowance";

test.each([
  ["none", []],
  ["process", ["safe"]],
  ["namespaces", ["safe", "mutating", "dangerous"]],
  ["sandbox", ["safe", "mutating", "dangerous"]],
] as const)("%s is enough for %j", (isolation, classes) => {
  expect(SkillClass.options.filter((name) => isIsolatedEnough(isolation, name))).toEqual(classes);
});

test("the table names every level", () => {
  expect(Isolation.options).toEqual(["none", "process", "namespaces", "sandbox"]);
});

test("of several the weakest counts, and none of them is none", () => {
  expect(weakestIsolation(["sandbox", "process", "namespaces"])).toBe("process");
  expect(weakestIsolation(["sandbox", "none"])).toBe("none");
  expect(weakestIsolation(["sandbox"])).toBe("sandbox");
  expect(weakestIsolation([])).toBe("none");
});
