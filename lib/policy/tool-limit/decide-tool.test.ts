import fc from "fast-check";
import { expect, test } from "vitest";
import { decideTool, splitCommand, type ToolQuestion } from "./decide-tool";

const BUILT_IN = ["use_skill", "read_skill_file", "save_skill", "list_skills", "get_run"];
const allows = (limit: string[] | null, tool: string, input: ToolQuestion["input"] = null, more = {}) =>
  decideTool({
    ...{
      tool,
      input,
      cwd: null,
      limit,
      denied: [],
      server: "skillgate",
      builtInTools: BUILT_IN,
      skillTools: ["csv_summary"],
    },
    ...more,
  }).allowed;

test("built-in tools are always allowed, by its own names and through its own server only", () => {
  for (const tool of [...BUILT_IN, ...BUILT_IN.map((name) => `mcp__skillgate__${name}`), "Skill"]) {
    expect(allows(["Nonsense"], tool), tool).toBe(true);
  }
  expect(allows(["Read"], "mcp__other__use_skill")).toBe(false);
  expect(allows(["Read"], "mcp__gate__use_skill", null, { server: "gate" })).toBe(true);
});

test("no list limits nothing, and a list of unknown names alone fails closed", () => {
  expect(allows(null, "Bash", { command: "rm -rf /" })).toBe(true);
  for (const tool of ["Read", "Bash", "Frobnicate", "csv_summary", "mcp__x__y"]) {
    expect(allows(["Frobnicate", "Whatever(x)"], tool), tool).toBe(false);
  }
  expect(allows(["*"], "Read")).toBe(false);
  expect(allows(["Read", "Frobnicate"], "Frobnicate")).toBe(true);
});

test.each([
  ["Cat", "read_file"],
  ["Write", "write_file"],
  ["Edit", "edit_file"],
  ["Glob", "list_dir"],
  ["List", "list_dir"],
  ["WebSearch", "web_search"],
  ["Glob(src/**)", "Glob", { path: "src/a" }],
  ["Bash", "run_command"],
  ["Shell", "run_command"],
  ["terminal", "Bash"],
  ["View", "read_file"],
  ["Read", "READ"],
  ["Create", "write_file"],
  ["str_replace", "Edit"],
  ["LS", "list_dir"],
  ["WebFetch", "web_fetch"],
  ["Grep", "search_text"],
])("%s allows %s", (listed, tool, input: ToolQuestion["input"] = null) => {
  expect(allows([listed], tool, input)).toBe(true);
  expect(allows([listed], "csv_summary")).toBe(false);
});

test("a skill is a tool by its own name, here and through the server’s prefix", () => {
  expect(allows(["csv_summary"], "csv_summary")).toBe(true);
  expect(allows(["csv_summary"], "mcp__skillgate__csv_summary")).toBe(true);
  expect(allows(["mcp__skillgate__csv_summary"], "mcp__skillgate__csv_summary")).toBe(true);
  expect(allows(["csv_summary"], "mcp__other__csv_summary")).toBe(false);
  expect(allows(["mcp__github"], "mcp__github__create_issue")).toBe(true);
  expect(allows(["mcp__github__*"], "mcp__github__create_issue")).toBe(true);
  expect(allows(["mcp__github"], "mcp__githubber__create_issue")).toBe(false);
  expect(allows(["Bash"], "mcp__evil__run_command")).toBe(false);
});

test.each([
  ["git add .", true],
  ["git add", true],
  ["git add a && git add b", true],
  ["git add 'a; b & c'", true],
  ['git add "a | b"', true],
  ["git addition", false],
  ["git commit", false],
  ["git add . && rm -rf /", false],
  ["git add . ; rm x", false],
  ["git add .\nrm x", false],
  ["git add $(rm x)", false],
  ["git add `rm x`", false],
  ['git add "$(rm x)"', false],
  ["git add > /etc/passwd", false],
  ["git add <(rm x)", false],
  ["git add $'\\'' ; rm x ; $'\\''", false],
  ["git add 'unclosed", false],
  ["PATH=/x git add .", false],
  ["(git add .)", false],
  ["", false],
])("Bash(git add:*) on %j: %s", (command, allowed) => {
  expect(allows(["Bash(git add:*)"], "run_command", { command })).toBe(allowed);
  expect(allows(["Bash(git add *)"], "Bash", { command })).toBe(allowed);
});

test("every argument that could be the command has to match, and separate arguments never do", () => {
  const command = "git add x";
  expect(allows(["Bash(git add:*)"], "Bash", { command, description: "adds x" })).toBe(true);
  for (const more of [{ script: "rm x" }, { cmd: 1 }, { args: ["--exec"] }, { command: ["git", "add"] }]) {
    expect(allows(["Bash(git add:*)"], "Bash", { command, ...more }), JSON.stringify(more)).toBe(false);
  }
  const paths = { file_path: "src/a", path: "/etc/passwd" };
  expect(allows(["Read(src/**)"], "Read", paths)).toBe(false);
});

test("several patterns of one tool add up, and a pattern without parentheses allows all calls", () => {
  const listed = ["Bash(git add:*)", "Bash(npm test)"];
  expect(allows(listed, "Bash", { command: "git add . && npm test" })).toBe(true);
  expect(allows(listed, "Bash", { command: "npm test --all" })).toBe(false);
  expect(allows([...listed, "Bash"], "Bash", { command: "anything $(at all)" })).toBe(true);
  expect(allows(["Bash(git add:*)"], "Bash")).toBe(false);
});

test("denied patterns win over allowed ones, by the tool that the name means, but never denies a built-in tool", () => {
  const without = (
    denied: string[],
    tool: string,
    input: ToolQuestion["input"] = null,
    limit: string[] | null = null,
  ) => allows(limit, tool, input, { denied });
  expect(without(["Write"], "write_file")).toBe(false);
  expect(without(["Write"], "Read")).toBe(true);
  expect(without(["Write"], "Write", null, ["Write", "Read"])).toBe(false);
  expect(without(["mcp__github__*"], "mcp__github__delete_repo")).toBe(false);
  expect(without(["csv_summary"], "mcp__skillgate__csv_summary")).toBe(false);
  expect(without(["*"], "Bash", { command: "ls" })).toBe(false);
  expect(without(["*", "Skill", "use_skill"], "use_skill")).toBe(true);
  expect(without(["Frobnicate"], "Bash", { command: "ls" })).toBe(true);
  expect(without(["WebFetch(domain:evil.test)"], "WebFetch", { url: "https://evil.test/a" })).toBe(false);
  expect(without(["WebFetch(domain:evil.test)"], "WebFetch", { url: "https://example.org/a" })).toBe(true);
  expect(without(["Read(secrets/**)"], "Read", { file_path: "secrets/key" })).toBe(false);
  expect(without(["Read(secrets/**)"], "Read", { file_path: "docs/../secrets/key" })).toBe(false);
  expect(without(["Read(secrets/**)"], "Read", { file_path: "docs/key" })).toBe(true);
});

test.each([
  ["rm -rf x", false],
  ["ls && rm x", false],
  ["A=1 rm x", false],
  ["ls $(rm x)", false],
  ["'rm' x", false],
  ["r\\m x", false],
  ["", false],
  ["ls -la", true],
  ["git rm-cached", true],
])("without Bash(rm:*), %j is allowed: %s", (command, allowed) => {
  expect(allows(["Bash"], "Bash", { command }, { denied: ["Bash(rm:*)"] })).toBe(allowed);
  expect(allows(null, "run_command", {}, { denied: ["Bash(rm:*)"] })).toBe(false);
});

test("paths and hosts have to fit, and climbing never does", () => {
  expect(allows(["Read(src/**)"], "Read", { file_path: "/w/src/a.ts" }, { cwd: "/w" })).toBe(true);
  expect(allows(["Read(src/**)"], "Read", { file_path: "/etc/passwd" }, { cwd: "/w" })).toBe(false);
  expect(allows(["Read(src/**)"], "Read", { file_path: "src/../../etc/passwd" })).toBe(false);
  expect(allows(["WebFetch(domain:example.org)"], "WebFetch", { url: "https://example.org/a" })).toBe(true);
  expect(allows(["WebFetch(domain:example.org)"], "WebFetch", { url: "https://example.org.evil.test/" })).toBe(false);
  expect(allows(["WebFetch(domain:example.org)"], "WebFetch", { url: "https://example.org@evil.test/" })).toBe(false);
});

test("a command outside the list never matches, with any shell syntax around it", () => {
  const glue = fc.constantFrom(";", "&&", "||", "|", "&", "\n");
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), glue, (noise, between) => {
      const parts = splitCommand(`git add ${noise}${between} rm -rf x`);
      const fits = parts?.every((part) => part === "git add" || part.startsWith("git add ")) ?? false;
      // The noise may open a quote or begin with a backslash; the rest is then part of an argument of the first command.
      if (fits) expect(/["'\\]/.test(noise)).toBe(true);
    }),
  );
});
