/**
 * The pattern that an `allowed-tools` list has in place of what cannot be read. It is the name of no tool, so that a list of it
 * alone allows none; an empty list means no limit.
 */
export const NO_TOOL = "(none)";

/**
 * The patterns of an `allowed-tools` value, each whole and in order, without repeats: a string split on commas and spaces
 * outside of parentheses, or a list. Null when there is no list; of an unreadable value there are none.
 */
export function parseAllowedTools(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const patterns =
    typeof value === "string" ? splitPatterns(value) : Array.isArray(value) ? value.flatMap(readListItem) : [];
  return [...new Set(patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== ""))];
}

/** `Bash(git add:*)` → tool `Bash`, specifier `git add:*`. Without closed parentheses the whole text is the tool. */
export function parseToolPattern(pattern: string): { tool: string; specifier: string | null } {
  const text = pattern.trim();
  const open = text.indexOf("(");
  if (open === -1 || !text.endsWith(")")) return { tool: text, specifier: null };
  return { tool: text.slice(0, open).trim(), specifier: text.slice(open + 1, -1).trim() };
}

function splitPatterns(text: string): string[] {
  const patterns: string[] = [];
  let depth = 0;
  let current = "";
  let afterSpace = false;
  for (const char of text) {
    if (depth === 0 && /\s/.test(char)) {
      afterSpace = true;
      continue;
    }
    // `Bash (git:*)` is one pattern: a space before a parenthesis does not end it.
    if (depth === 0 && (char === "," || (afterSpace && char !== "("))) {
      patterns.push(current);
      current = "";
    }
    afterSpace = false;
    if (char === "(") depth += 1;
    if (char === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || char !== ",") current += char;
  }
  return [...patterns, current];
}

function readListItem(item: unknown): string[] {
  if (typeof item === "string") return [item];
  // `- Bash(git: *)` without quotes is a YAML mapping with one key.
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    const [entry, ...more] = Object.entries(item);
    if (entry !== undefined && more.length === 0 && typeof entry[1] === "string") return [`${entry[0]}: ${entry[1]}`];
  }
  return [];
}

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

const CHANGING = new Set(["run_command", "write_file", "edit_file", "edit_notebook"]);

/** Whether a pattern of `allowed-tools` lets an agent run commands or write, in the words of any agent. */
export function changesThings(pattern: string): boolean {
  const { tool } = parseToolPattern(pattern);
  return tool === "*" || CHANGING.has(findTool(tool)?.id ?? "");
}
