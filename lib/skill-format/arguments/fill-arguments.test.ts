import { expect, test } from "vitest";
import { fillArguments } from "./call-arguments";

test.each([
  ["Fix $ARGUMENTS now.", "#12 'as typed'", [], "Fix #12 'as typed' now."],
  ["$0 then $1, $ARGUMENTS[1]", `one "two words"`, [], "one then two words, two words"],
  ["$0 and $2", "one two", [], "one and $2"],
  ["$issue on $branch", "12 main", ["issue", "branch"], "12 on main"],
  ["costs \\$1 and $HOME", "x", [], "costs $1 and $HOME\n\nARGUMENTS: x\n"],
  ["# Plain\n", "a b", [], "# Plain\n\nARGUMENTS: a b\n"],
  ["# Plain\n", "", [], "# Plain\n"],
  ["Fix $ARGUMENTS.", "", [], "Fix ."],
  ["say $ARGUMENTS", "$0 $& $ARGUMENTS", [], "say $0 $& $ARGUMENTS"],
  ["$0|$1", "it's fine", [], "it's|fine"],
])("%j with %j", (text, typed, names, expected) => {
  expect(fillArguments(text, typed, names)).toBe(expected);
});
