/** One tool under the names that agents give it. `id` is this product's own name for it. */
export type CanonicalTool = {
  id: string;
  /** Claude Code's name, which most skills use. */
  claude: string;
  /** Names in other agents; null where an agent has no such tool. */
  personalAgent: string | null;
  openjarvis: string | null;
  aliases: readonly string[];
};

/**
 * The tools that skills list, and their names elsewhere: the tables of Personal Agent (matching of allow-lists) and
 * OpenJarvis (tool translation), and names counted in public skills. Where those two disagree the meaning in Claude Code
 * counts: WebFetch fetches one address, Glob finds files by pattern.
 */
export const CANONICAL_TOOLS: readonly CanonicalTool[] = [
  tool("run_command", "Bash", "run_command", "shell_exec", [
    "Shell",
    "Terminal",
    "execute_command",
    "powershell",
    "exec",
  ]),
  tool("read_file", "Read", "read_file", "file_read", ["View", "Cat", "open_file", "NotebookRead"]),
  tool("write_file", "Write", "write_file", "file_write", ["Create", "create_file"]),
  tool("edit_file", "Edit", "edit_file", "file_edit", ["str_replace", "MultiEdit", "patch", "apply_patch"]),
  tool("find_files", "Glob", "list_dir", "file_glob", ["find"]),
  tool("list_dir", "LS", "list_dir", null, ["List", "list_directory"]),
  tool("search_text", "Grep", null, "file_grep", ["search", "ripgrep", "search_files"]),
  tool("web_search", "WebSearch", "web_search", "web_search", []),
  tool("web_fetch", "WebFetch", "web_fetch", "web_search", ["fetch"]),
  tool("delegate", "Task", null, "delegate_agent", ["Agent", "delegate_agent", "spawn_agent"]),
  tool("edit_notebook", "NotebookEdit", null, "notebook_edit", []),
  tool("ask_user", "AskUserQuestion", null, null, ["request_user_input", "ask_question"]),
  tool("todo", "TodoWrite", null, null, ["TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"]),
  tool("use_skill", "Skill", "use_skill", null, ["SlashCommand"]),
];

function tool(
  id: string,
  claude: string,
  personalAgent: string | null,
  openjarvis: string | null,
  aliases: readonly string[],
): CanonicalTool {
  return { id, claude, personalAgent, openjarvis, aliases };
}

/**
 * The tool that a name means in whichever agent it was written for, or null: the set of tools is open. Letter case,
 * underscores and hyphens do not matter. Use it on structured lists only; in prose, "Read" is a verb.
 */
export function findTool(name: string): CanonicalTool | null {
  return BY_NAME.get(foldName(name)) ?? null;
}

/** Names of a list in another agent's words, each once. Names without a translation are given back as `unknown`. */
export function translateTools(
  names: readonly string[],
  agent: "id" | "claude" | "personalAgent" | "openjarvis",
): { translated: string[]; unknown: string[] } {
  const translated = new Set<string>();
  const unknown = new Set<string>();
  for (const name of names) {
    const target = findTool(name)?.[agent] ?? null;
    if (target === null) unknown.add(name);
    else translated.add(target);
  }
  return { translated: [...translated], unknown: [...unknown] };
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

// Canonical ids first, then Claude Code's names, then the rest: an earlier entry is not replaced.
const BY_NAME = new Map<string, CanonicalTool>();
for (const pick of [
  (entry: CanonicalTool) => [entry.id, entry.claude],
  ({ personalAgent, openjarvis, aliases }: CanonicalTool) => [...aliases, personalAgent, openjarvis],
]) {
  for (const entry of CANONICAL_TOOLS) {
    for (const name of pick(entry)) {
      if (name !== null && !BY_NAME.has(foldName(name))) BY_NAME.set(foldName(name), entry);
    }
  }
}
