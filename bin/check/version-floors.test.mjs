import { expect, it } from "vitest";
import { findOutdatedPackages } from "./version-floors.mjs";

const floors = { ajv: { atLeast: "8.18.0", because: "a reason" } };
const lockWith = (versions) => ({
  packages: Object.fromEntries(Object.entries(versions).map(([folder, version]) => [folder, { version }])),
});

it.each(["8.18.0", "8.18.1", "8.20.0", "9.0.0", "10.0.0"])("accepts %s", (version) => {
  expect(findOutdatedPackages(lockWith({ "node_modules/ajv": version }), floors)).toEqual([]);
});

it.each(["8.17.9", "8.9.0", "6.12.6"])("refuses %s, also as a copy inside another package", (version) => {
  const lock = lockWith({ "node_modules/ajv": "8.20.0", "node_modules/x/node_modules/ajv": version });
  const problems = findOutdatedPackages(lock, floors);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/x\/node_modules\/ajv is .*8\.18\.0 \(a reason\)/);
});

it("does not take a name that ends alike for the package", () => {
  expect(
    findOutdatedPackages(lockWith({ "node_modules/not-ajv": "1.0.0", "node_modules/@a/ajv": "1.0.0" }), floors),
  ).toEqual([]);
});
