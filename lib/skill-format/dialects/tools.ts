/** Replaces unreadable patterns. No tool has this name, so a list of it allows none; an empty list sets no limit. */
export const NO_TOOL = "(none)";

/**
 * The distinct patterns of an `allowed-tools` value in order: a string split on commas and spaces outside parentheses,
 * or a list. Null without a value; empty for an unreadable one.
 */
export function parseAllowedTools(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const patterns =
    typeof value === "string" ? splitPatterns(value) : Array.isArray(value) ? value.flatMap(readListItem) : [];
  return [...new Set(patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== ""))];
}

/** `Bash(git add:*)` → tool `Bash`, specifier `git add:*`. Without closing parentheses the whole text is the tool. */
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
    // A space before a parenthesis does not end a pattern: `Bash (git:*)`.
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
  // YAML reads an unquoted `- Bash(git: *)` as a mapping with one key.
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    const [entry, ...more] = Object.entries(item);
    if (entry !== undefined && more.length === 0 && typeof entry[1] === "string") return [`${entry[0]}: ${entry[1]}`];
  }
  return [];
}

/** A tool with Skillgate's id, the names in Claude Code and Personal Agent, and its names in other agents. */
export type CanonicalTool = { id: string; claude: string; personalAgent: string; aliases: readonly string[] };

/**
 * The tools that skills list: the tables of Personal Agent (matching of allow-lists) and OpenJarvis (tool translation),
 * and names found in public skills. Claude Code's meaning wins conflicts: WebFetch fetches one address, Glob finds
 * files by pattern.
 */
const CANONICAL_TOOLS: readonly CanonicalTool[] = [
  tool("run_command", "Bash", "Shell", "Terminal", "execute_command", "powershell", "exec", "shell_exec"),
  tool("read_file", "Read", "View", "Cat", "open_file", "NotebookRead", "file_read"),
  tool("write_file", "Write", "Create", "create_file", "file_write"),
  tool("edit_file", "Edit", "str_replace", "MultiEdit", "patch", "apply_patch", "file_edit"),
  { ...tool("find_files", "Glob", "find", "file_glob"), personalAgent: "list_dir" },
  tool("list_dir", "LS", "List", "list_directory"),
  tool("search_text", "Grep", "search", "ripgrep", "search_files", "file_grep"),
  tool("web_search", "WebSearch"),
  tool("web_fetch", "WebFetch", "fetch", "web_search"),
  tool("delegate", "Task", "Agent", "delegate_agent", "spawn_agent"),
  tool("edit_notebook", "NotebookEdit", "notebook_edit"),
  tool("ask_user", "AskUserQuestion", "request_user_input", "ask_question"),
  tool("todo", "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"),
  tool("use_skill", "Skill", "SlashCommand"),
];

function tool(id: string, claude: string, ...aliases: string[]): CanonicalTool {
  return { id, claude, personalAgent: id, aliases };
}

/** The tool with this name in any agent, or null. Only for structured lists: in prose, "Read" is a verb. */
export function findTool(name: string): CanonicalTool | null {
  return BY_NAME.get(foldName(name)) ?? null;
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

const BY_NAME = new Map<string, CanonicalTool>();
for (const pick of [(entry: CanonicalTool) => [entry.id, entry.claude], ({ aliases }: CanonicalTool) => aliases]) {
  for (const entry of CANONICAL_TOOLS) {
    for (const name of pick(entry)) {
      if (!BY_NAME.has(foldName(name))) BY_NAME.set(foldName(name), entry);
    }
  }
}

const CHANGING = new Set(["run_command", "write_file", "edit_file", "edit_notebook"]);

/** Whether an `allowed-tools` pattern lets an agent run commands or write, by any agent's names. */
export function changesThings(pattern: string): boolean {
  const { tool } = parseToolPattern(pattern);
  return tool === "*" || CHANGING.has(findTool(tool)?.id ?? "");
}
