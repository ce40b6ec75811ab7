import { expect, it } from "vitest";
import { findInlineCommands } from "./find-executables";

it.each<[string, string, string[]]>([
  ["inline", "Branch: !`git branch` and !`git status -s`\n!`ls`", ["git branch", "git status -s", "ls"]],
  ["in a fence", "x\n```!\ngit log\ngit diff\n```\ny", ["git log\ngit diff"]],
  ["in a fence of a quotation", "> ```!\n> id\n> ```", ["> id\n>"]],
  ["in a fence on one line", "```! id ```", ["id"]],
  ["in an indented fence", "  ```!\nid\n  ```", ["id"]],
  ["over two lines", "Run !`id\nwhoami` now", ["id\nwhoami"]],
  ["in a fence without an end", "```!\nid", ["id"]],
  ["only code", "`!x` a!`b` ```sh\n!x\n```", []],
  ["an exclamation", "Stop!`now`", []],
])("finds commands that run while the playbook is loaded: %s", (_name, body, expected) => {
  expect(findInlineCommands(body)).toEqual(expected);
});

it("stops at 100 and needs linear time for unclosed fences", () => {
  expect(findInlineCommands("!`x`\n".repeat(500))).toHaveLength(100);
  expect(findInlineCommands("```!\n".repeat(2_000))).toHaveLength(100);
});
