import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { isRouterState } from "./refuse-malformed.mjs";

const require = createRequire(import.meta.url);
const theirs = require("next/dist/server/app-render/parse-and-validate-flight-router-state");

function frameworkReads(header) {
  try {
    theirs.parseAndValidateFlightRouterState(header);
    return true;
  } catch {
    return false;
  }
}

const leaf = ["__PAGE__", {}];
const trees = [
  ["", { children: leaf }],
  ["", { children: ["skills", { children: [["id", "a", "d", null], { children: leaf }] }] }, null, null, 16],
  ["", { children: [["file", "a/b", "oc", ["x"]], {}] }, ["/skills", ""], "refetch", null, "h"],
  ["", { children: [["id", "a", "di(..)(..)", null], {}] }],
  ["", {}, null, "metadata-only"],
  ["", {}, null, "other"],
  ["", { children: [] }],
  ["", { children: [["id", "a", "zz", null], {}] }],
  ["", { children: [["id", "a", "d"], {}] }],
  ["", {}, ["/skills"]],
  ["", {}, null, null, "16"],
  ["", {}, null, null, 1, null],
  ["", {}, null, null, 1, "h", 2],
  [""],
  [1, {}],
  ["", []],
  {},
  null,
  "text",
];
const headers = [
  ...trees.map((tree) => encodeURIComponent(JSON.stringify(tree))),
  "",
  "%",
  "%5B%22",
  "[",
  "x".repeat(40_001),
  undefined,
];

it.each(headers.map((header) => [header?.slice(0, 120), header]))("says of %s what the framework does", (_, header) => {
  expect(isRouterState(header)).toBe(frameworkReads(header));
});
