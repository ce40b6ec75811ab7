import { expect, it } from "vitest";
import { findTool } from "./tools";

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
