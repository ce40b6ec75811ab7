import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permissionOf, permissionsOf } from "./permission-list";

describe("permissionOf", () => {
  it.each([
    ["Bash", "Runs any shell command", "danger"],
    ["Bash(*)", "Runs any shell command", "danger"],
    ["Bash(:*)", "Runs any shell command", "danger"],
    ["Bash()", "Runs any shell command", "danger"],
    ["*", "Uses every tool without asking", "danger"],
    ["Bash(git add:*)", "Runs shell commands that begin with git add", "neutral"],
    ["Bash(git status)", "Runs the shell command git status", "neutral"],
    ["Bash(python:*)", "Runs python with any arguments, which can run anything", "danger"],
    ["Bash(/usr/bin/env *)", "Runs /usr/bin/env with any arguments, which can run anything", "danger"],
    ["Bash(python scripts/check.py)", "Runs the shell command python scripts/check.py", "neutral"],
    ["Write", "Writes and changes any file", "warning"],
    ["Edit(docs/**)", "Writes and changes files that match docs/**", "neutral"],
    ["Read", "Reads and searches files", "neutral"],
    ["WebFetch", "Fetches any web address", "warning"],
    ["WebFetch(domain:example.com)", "Fetches pages of example.com", "neutral"],
    ["WebSearch", "Searches the web", "neutral"],
    ["mcp__*", "Uses every tool of every MCP server", "danger"],
    ["mcp__github", "Uses every tool of the MCP server github", "warning"],
    ["mcp__github__*", "Uses every tool of the MCP server github", "warning"],
    ["mcp__github__create_issue", "Uses create_issue of the MCP server github", "warning"],
    ["Frobnicate(x)", "Uses the tool Frobnicate(x)", "neutral"],
  ])("says of %s: %s", (pattern, text, tone) => {
    expect(permissionOf(pattern)).toEqual({ text, tone });
  });

  it("describes any pattern", () => {
    fc.assert(fc.property(fc.string(), (pattern) => permissionOf(pattern).text.length > 0));
  });
});

it("sorts by severity and removes duplicates", () => {
  expect(permissionsOf(["Read", "WebFetch", "Grep", "Bash"]).map((permission) => permission.patterns)).toEqual([
    ["Bash"],
    ["WebFetch"],
    ["Read", "Grep"],
  ]);
});
