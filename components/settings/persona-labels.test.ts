import { expect, test } from "vitest";
import { globsOf } from "./persona-labels";

test("reads one glob per line without empty and repeated lines", () => {
  expect(globsOf(" csv-*\n\njson_*  \ncsv-*")).toEqual(["csv-*", "json_*"]);
  expect(globsOf("a, b")).toEqual(["a", "b"]);
  expect(globsOf(" \n ")).toEqual([]);
});
