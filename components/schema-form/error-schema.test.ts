import { describe, expect, it } from "vitest";
import { argErrorsOf, toErrorSchema } from "./error-schema";

describe("argErrorsOf", () => {
  it('keeps only errors of arguments, without the prefix "args."', () => {
    const errors = [
      { path: "args.filter.path", message: "is required" },
      { path: "args", message: "must be an object" },
      { path: "wait", message: "must be a number" },
      { path: "argsExtra", message: "is not known" },
    ];
    expect(argErrorsOf({ errors })).toEqual([
      { path: "filter.path", message: "enter a value" },
      { path: "", message: "must be an object" },
    ]);
  });
});

it("says the server's messages in words, one for each argument", () => {
  const errors = [
    { path: "args.mode", message: 'must be one of ["fast","slow"]' },
    { path: "args.mode", message: "must match the pattern ^[a-z]+$" },
    { path: "args.key", message: "must match the pattern ^[A-Z]+$" },
  ];
  expect(argErrorsOf({ errors })).toEqual([
    { path: "mode", message: "choose one of: fast, slow" },
    { path: "key", message: "does not have the expected form" },
  ]);
});

describe("toErrorSchema", () => {
  it("assigns each message to its field, list items by index", () => {
    const tree = toErrorSchema([
      { path: "filter.path", message: "is required" },
      { path: "items.0", message: "must be text" },
      { path: "items.0", message: "must be short" },
      { path: "", message: "does not fit" },
    ]);
    expect(tree).toEqual({
      __errors: ["does not fit"],
      filter: { path: { __errors: ["is required"] } },
      items: { "0": { __errors: ["must be text", "must be short"] } },
    });
  });

  it("treats names of built-in properties as keys", () => {
    const tree = toErrorSchema([{ path: "constructor.name", message: "is wrong" }]);
    expect(Object.keys(tree)).toEqual(["constructor"]);
  });
});
