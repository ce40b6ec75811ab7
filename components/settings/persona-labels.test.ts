import { expect, test } from "vitest";
import { globsOf } from "./persona-labels";

test("globs are read one to a line, without blanks and repetitions", () => {
  expect(globsOf(" csv-*\n\njson_*  \ncsv-*")).toEqual(["csv-*", "json_*"]);
  expect(globsOf("a, b")).toEqual(["a", "b"]);
  expect(globsOf(" \n ")).toEqual([]);
});
