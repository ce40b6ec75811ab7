import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildWorker } from "./build-programs.mjs";

let worker;
let reader;

beforeAll(async () => {
  const file = await buildWorker();
  worker = readFileSync(file, "latin1");
  reader = readFileSync(path.join(path.dirname(file), "worker-reader.cjs"), "latin1");
});

it("the worker's text is ASCII: with a single other letter Node would keep two bytes for each", () => {
  expect(worker.match(/[^\n]{0,40}[^\0-\x7f]/)).toBeNull();
});

it("the parsers of skills are in the process that reads folders, and not in the worker", () => {
  for (const parser of ["YAMLException", "YAMLParseError", "TomlError"]) {
    expect(reader, parser).toContain(parser);
    expect(worker, parser).not.toContain(parser);
  }
});

it("stacks can be read: functions keep their names, and lines are short", () => {
  expect(worker).toContain("function prepareEntry(");
  const lines = worker.split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  expect([lines.length > 1_000, longest < 5_000]).toEqual([true, true]);
});
