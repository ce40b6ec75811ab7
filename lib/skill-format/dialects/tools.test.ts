import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTool, parseAllowedTools, parseToolPattern } from "./tools";

describe("parseAllowedTools", () => {
  it.each<[string, unknown, string[] | null]>([
    ["a missing value", undefined, null],
    ["an empty YAML value", null, null],
    ["an empty text", "", []],
    ["words", "Read Write  Bash", ["Read", "Write", "Bash"]],
    ["a comma list", "Read, Write,Bash", ["Read", "Write", "Bash"]],
    ["patterns with spaces", "Bash(git add:*) Bash(npm run *), Read", ["Bash(git add:*)", "Bash(npm run *)", "Read"]],
    ["commas in a pattern", "Edit(a,b), Read", ["Edit(a,b)", "Read"]],
    ["nested parentheses", "Bash(f(x) y) Read", ["Bash(f(x) y)", "Read"]],
    ["a space before the parenthesis", "Bash (git *) Read", ["Bash(git *)", "Read"]],
    ["a parenthesis that is never closed", "Bash(git, Read", ["Bash(git, Read"]],
    ["a stray closing parenthesis", "Bash) Read", ["Bash)", "Read"]],
    ["a list", ["Read", " Bash(git add *) ", "Read", ""], ["Read", "Bash(git add *)"]],
    ["a pattern that YAML took for a mapping", [{ "Bash(git": "*)" }], ["Bash(git: *)"]],
    ["an empty list", [], []],
    ["a mapping", { Read: true }, []],
    ["a boolean", true, []],
  ])("reads %s", (_name, value, expected) => {
    expect(parseAllowedTools(value)).toEqual(expected);
  });

  it("gives back a list of patterns that were joined with commas", () => {
    const tool = fc.stringMatching(/^[A-Za-z_]{1,10}(\([a-z ,:*]{0,10}\))?$/);
    fc.assert(
      fc.property(fc.uniqueArray(tool), (tools) => {
        expect(parseAllowedTools(tools.join(", "))).toEqual(tools);
      }),
    );
  });
});

describe("parseToolPattern", () => {
  it.each([
    ["Bash", "Bash", null],
    ["Bash(git add:*)", "Bash", "git add:*"],
    ["Bash (x)", "Bash", "x"],
    ["Read()", "Read", ""],
    ["mcp__slack__*", "mcp__slack__*", null],
    ["Bash(git", "Bash(git", null],
    ["Bash(f(x))", "Bash", "f(x)"],
  ])("reads %s", (pattern, tool, specifier) => {
    expect(parseToolPattern(pattern)).toEqual({ tool, specifier });
  });
});

it.each([
  ...[
    ["Bash", "run_command"],
    ["Shell", "run_command"],
    ["terminal", "run_command"],
    ["run_command", "run_command"],
  ],
  ...[
    ["shell_exec", "run_command"],
    ["View", "read_file"],
    ["Cat", "read_file"],
    ["file_read", "read_file"],
  ],
  ...[
    ["Create", "write_file"],
    ["str_replace", "edit_file"],
    ["MultiEdit", "edit_file"],
    ["LS", "list_dir"],
  ],
  ...[
    ["List", "list_dir"],
    ["list_dir", "list_dir"],
    ["Glob", "find_files"],
    ["file_glob", "find_files"],
  ],
  ...[
    ["Grep", "search_text"],
    ["WebFetch", "web_fetch"],
    ["web_fetch", "web_fetch"],
    ["web_search", "web_search"],
  ],
  ...[
    ["Task", "delegate"],
    ["Agent", "delegate"],
    ["NotebookEdit", "edit_notebook"],
    ["AskUserQuestion", "ask_user"],
  ],
])("knows that %s is %s", (name, id) => {
  expect(findTool(name)?.id).toBe(id);
});

it.each(["mcp__slack__post", "*", "", "constructor", "chain_loader", "some-agent"])("does not guess %j", (name) => {
  expect(findTool(name)).toBeNull();
});
