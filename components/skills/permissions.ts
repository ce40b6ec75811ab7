import { NO_TOOL, parseToolPattern } from "@/lib/skill-format/dialects/tools";

export type Permission = { text: string; tone: "neutral" | "warning" | "danger" };

const writers = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit", "str_replace_editor"]);
const readers = new Set(["Read", "Glob", "Grep", "LS", "NotebookRead"]);
const agents = new Set(["Task", "Agent", "Skill", "SlashCommand"]);

/** A command whose arguments are themselves a program, so that its name limits nothing. */
const anyCommand =
  /^(?:sudo|doas|env|xargs|eval|exec|ba?sh|zsh|sh|dash|fish|pwsh|powershell|python[\d.]*|node|deno|bun|npx|uvx|bunx|perl|ruby|php|ssh|docker|find|awk)$/;

/** One entry of a skill's `allowed-tools` as a sentence, and how loud it must be. */
export function permissionOf(pattern: string): Permission {
  const { tool, specifier } = parseToolPattern(pattern);
  const isOpen = specifier === null || /^[*:\s]*$/.test(specifier);
  if (tool === "*") return { text: "Uses every tool without asking", tone: "danger" };
  if (tool === "Bash" || tool === "Shell" || tool === "PowerShell") return shellPermission(isOpen ? null : specifier);
  if (writers.has(tool)) {
    return isOpen
      ? { text: "Writes and changes any file", tone: "warning" }
      : { text: `Writes and changes files that match ${specifier}`, tone: "neutral" };
  }
  if (readers.has(tool)) {
    return { text: isOpen ? "Reads and searches files" : `Reads files that match ${specifier}`, tone: "neutral" };
  }
  if (tool === "WebFetch") {
    return isOpen
      ? { text: "Fetches any web address", tone: "warning" }
      : { text: `Fetches pages of ${specifier.replace(/^domain:/, "")}`, tone: "neutral" };
  }
  if (tool === "WebSearch") return { text: "Searches the web", tone: "neutral" };
  if (agents.has(tool)) return { text: `Starts other agents or skills (${tool})`, tone: "neutral" };
  if (tool.startsWith("mcp__")) return mcpPermission(tool);
  if (pattern === NO_TOOL) return { text: "Allows no tool: its list cannot be read", tone: "neutral" };
  return { text: `Uses the tool ${pattern.trim()}`, tone: "neutral" };
}

function shellPermission(specifier: string | null): Permission {
  if (specifier === null) return { text: "Runs any shell command", tone: "danger" };
  const command = specifier.replace(/:?\s*\*$/, "").trim();
  const [program = ""] = command.split(/\s+/);
  if (anyCommand.test(program.replace(/^.*\//, "")) && /\*\s*$/.test(specifier)) {
    return { text: `Runs ${command} with any arguments, which can run anything`, tone: "danger" };
  }
  return /\*\s*$/.test(specifier)
    ? { text: `Runs shell commands that begin with ${command}`, tone: "neutral" }
    : { text: `Runs the shell command ${command}`, tone: "neutral" };
}

function mcpPermission(tool: string): Permission {
  const [, server = "", name = ""] = tool.split("__");
  if (server === "" || server === "*") return { text: "Uses every tool of every MCP server", tone: "danger" };
  if (name === "" || name === "*") return { text: `Uses every tool of the MCP server ${server}`, tone: "warning" };
  return { text: `Uses ${name} of the MCP server ${server}`, tone: "warning" };
}

/** A skill's whole list, the loudest first, and what means the same only once. */
export function permissionsOf(allowedTools: readonly string[]): (Permission & { patterns: string[] })[] {
  const order = ["danger", "warning", "neutral"];
  const sentences = new Map<string, Permission & { patterns: string[] }>();
  for (const pattern of allowedTools) {
    const permission = permissionOf(pattern);
    const known = sentences.get(permission.text);
    if (known) known.patterns.push(pattern);
    else sentences.set(permission.text, { ...permission, patterns: [pattern] });
  }
  return [...sentences.values()].sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
}
