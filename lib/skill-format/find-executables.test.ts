import { expect, it, test } from "vitest";
import { executablesOf } from "./executables";
import { findExecutables, findInlineCommands } from "./find-executables";
import { EMPTY_MANIFEST } from "./schema";

const file = (path: string, text: string | Uint8Array = "") => ({
  path,
  mode: "644" as const,
  bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
});
const text = (frontmatter: string, body = "") => `---\nname: x\ndescription: d\n${frontmatter}\n---\n${body}\n`;
const hooks = '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"id"}]}]}}';

test.each([
  ["hooks/hooks.json", hooks],
  ["hooks/more.json", hooks],
  [".mcp.json", '{"mcpServers":{}}'],
  [".lsp.json", "{}"],
  [".claude-plugin/plugin.json", hooks],
  [".claude-plugin/plugin.json", '{"name":"x","lspServers":"./l.json"}'],
  [".claude-plugin/plugin.json", '{"name":"x","commands":["./other"]}'],
  [".claude-plugin/plugin.json", "{ // no JSON\n"],
  ["monitors/monitors.json", '[{"name":"m","command":"id"}]'],
  ["settings.json", '{"hooks":{}}'],
  [".claude/settings.json", "{}"],
  ["commands/x.md", text("allowed-tools: Bash")],
  ["commands/deep/x.md", "!`id`\n"],
  ["commands/x.md", `${"x\n".repeat(300_000)}!\`id\`\n`],
  ["commands/x.toml", 'prompt = "!{id}"'],
  ["agents/x.md", text("hooks:\n  SessionStart: [{hooks: [{type: command, command: id}]}]")],
  ["agents/x.md", text("tools: [Read, Bash]")],
  ["agents/x.md", text("mcpServers: {x: {command: sh}}")],
  ["skills/inner/SKILL.md", text("", "!`id`")],
  ["package.json", '{"scripts":{"postinstall":"id"}}'],
  ["SKILL.md", text("command-dispatch: tool\ncommand-tool: exec")],
  ["SKILL.md", text("metadata: {openclaw: {command-dispatch: tool}}")],
  ["SKILL.md", text('metadata: \'{"openclaw": {"command-dispatch": "tool"}}\'')],
  ["SKILL.md", text("mcpServers: {x: {command: sh}}")],
  ["SKILL.md", text("Hooks:\n  SessionStart: x")],
  ["SKILL.md", text('"\\x68ooks":\n  SessionStart: x')],
  ["SKILL.md", text("Allowed-tools: Bash")],
  ["SKILL.md", text("ALLOWED_TOOLS: Bash")],
  ["SKILL.md", text("<<: {hooks: {SessionStart: x}}")],
  ["SKILL.md", text("<<: [{Allowed-Tools: Bash}]")],
  ["SKILL.md", text("x: &a {hooks: {SessionStart: x}}\n<<: *a")],
  ["SKILL.md", text("a: [\nhooks: {SessionStart: x}")],
])("%s is executed by a client: %s", (path, content) => {
  expect(findExecutables([file(path, content)])).toMatchObject([{ path, by: "client" }]);
});

test.each([
  ...["x.ksh", "y.tcl", "z.go", "w.ipynb", "v.vbs", "u.wasm", "t.so", "t.so.1.2", "t.dll", "t.dylib", "s.pyw", "r.tsx"],
  ...["q.exs", "Makefile", "sub/GNUmakefile"],
])("%s is a script or program by its name", (path) => {
  expect(findExecutables([file(path)])).toMatchObject([{ path, by: "hand" }]);
});

test.each([
  ["bin/git", "#!/bin/sh\nid\n"],
  ["setup", "\ufeff#!/bin/sh\n"],
  ["notes.txt", "#!/bin/sh\n"],
  ["data", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2])],
  ["data", new Uint8Array([0x4d, 0x5a, 0x90, 0])],
])("%s is a script or program by its first bytes", (path, content) => {
  expect(findExecutables([file(path, content)])).toMatchObject([{ path, by: "hand" }]);
});

test.each([
  ["references/hooks.md", "hooks: are described here. !`id`\n"],
  ["data.json", '{"mcpServers":{}}'],
  ["package.json", '{"scripts":{"test":"vitest"}}'],
  [".claude-plugin/plugin.json", '{"name":"x","version":"1.0.0"}'],
  ["settings.json", '{"theme":"dark"}'],
  ["agents/openai.yaml", "interface: {}"],
  ["agents/x.md", text("tools: [Read, Grep]")],
  ["commands/x.md", text("argument-hint: x", "Look at it.")],
  ["SKILL.md", text("allowed-tools: Read", "hooks: none of it. Careful!`x`")],
  ["SKILL.md", text('when_to_use: "Use for git hooks: all of them"')],
  ["MZ.txt", "MZ is a text"],
])("%s is read by agents and never executed: %s", (path, content) => {
  expect(findExecutables([file(path, content)])).toEqual([]);
});

test("stored manifests without executables are judged by paths, and packs by what a client runs", () => {
  const files = [file("hooks/hooks.json"), file("run.sh")];
  expect(executablesOf(EMPTY_MANIFEST, files).map(({ path }) => path)).toEqual(["hooks/hooks.json", "run.sh"]);
  expect(executablesOf({ ...EMPTY_MANIFEST, kind: "pack" }, files).map(({ path }) => path)).toEqual([
    "hooks/hooks.json",
  ]);
});

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
