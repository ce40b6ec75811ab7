import { findTool, parseToolPattern } from "@/lib/skill-format/dialects/tools";
import { matchGlob } from "../match-glob";

type ToolInput = Record<string, unknown>;

const COMMANDS = ["command", "cmd", "script"];

const ARGUMENT_LISTS = ["args", "argv", "arguments"];

const PATHS = ["file_path", "path", "notebook_path"];

const NAMES = ["subagent_type", "skill", "name", "command"];

const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=\S*\s+)+/;

const FILE_TOOLS = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "find_files",
  "list_dir",
  "search_text",
  "edit_notebook",
]);

export type ToolQuestion = {
  /** As the agent calls it: its own name, a Skillgate tool, or `mcp__server__tool`. */
  tool: string;
  input: ToolInput | null;
  cwd: string | null;
  /** Patterns of the active skill; null for no limit. */
  limit: readonly string[] | null;
  /** Patterns that the active skill denies; they win over `limit`. */
  denied: readonly string[];
  /** The agent's name for Skillgate's MCP server. */
  server: string;
  builtInTools: readonly string[];
  skillTools: readonly string[];
};

export type ToolDecision = { allowed: boolean; reason: string };

/**
 * Whether the active skill allows a tool call. Skillgate's built-in tools are always allowed; denied patterns win over allowed
 * ones. An allow list without a single known tool allows nothing else; in a list with known ones, an unknown name means the
 * tool of exactly that name. Aliases count as the same tool (`Bash` is `run_command`). Patterns in parentheses must match the
 * arguments; when a call cannot be told apart from a denied one, it is denied.
 */
export function decideTool(question: ToolQuestion): ToolDecision {
  const { tool, input, cwd, limit, denied, server, builtInTools, skillTools } = question;
  const own = ownName(tool, server);
  if (builtInTools.includes(own) || (own === tool && findTool(tool)?.id === "use_skill")) {
    return { allowed: true, reason: "Skillgate’s built-in tools are always allowed." };
  }
  const taken = denied.find((pattern) => takesAway(pattern, { tool, own, input, cwd }));
  if (taken !== undefined) return { allowed: false, reason: `It denies ${taken} while it is active.` };
  if (limit === null) return { allowed: true, reason: "No active skill limits the tools." };
  const patterns = limit.map(parseToolPattern);
  const knows = (name: string) =>
    findTool(name) !== null || name.startsWith("mcp__") || skillTools.some((known) => isSame(known, name));
  if (!patterns.some((pattern) => knows(pattern.tool))) {
    return {
      allowed: false,
      reason: "Its list names no tool that is known here, so only Skillgate’s built-in tools are allowed.",
    };
  }
  const fitting = patterns.filter((pattern) => meansTool(pattern.tool, tool, own));
  if (fitting.length === 0) {
    return { allowed: false, reason: `It allows ${limit.join(", ")}, but not ${own}.` };
  }
  const specifiers = fitting.flatMap(({ specifier }) => (isWhole(specifier) ? [] : [specifier]));
  if (specifiers.length < fitting.length) return { allowed: true, reason: `The active skill allows ${own}.` };
  if (matchSpecifiers(own, specifiers, input, cwd)) {
    return { allowed: true, reason: `The active skill allows ${own} with these arguments.` };
  }
  return {
    allowed: false,
    reason: `It allows ${own} only as ${fitting.map(({ tool: name, specifier }) => `${name}(${specifier})`).join(", ")}.`,
  };
}

type Call = Pick<ToolQuestion, "tool" | "input" | "cwd"> & { own: string };

function takesAway(pattern: string, { tool, own, input, cwd }: Call): boolean {
  const { tool: wanted, specifier } = parseToolPattern(pattern);
  if (wanted !== "*" && !meansTool(wanted, tool, own)) return false;
  return isWhole(specifier) || touchesSpecifiers(own, [specifier], input, cwd);
}

function isWhole(specifier: string | null): specifier is null | "" | "*" {
  return specifier === null || specifier === "" || specifier === "*";
}

/** Removes the prefix that agents put before tools of Skillgate's own server. */
function ownName(tool: string, server: string): string {
  const prefix = `mcp__${server}__`;
  return tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
}

function meansTool(wanted: string, tool: string, own: string): boolean {
  if (isSame(wanted, tool) || isSame(wanted, own)) return true;
  if (wanted.startsWith("mcp__")) {
    if (tool.startsWith(`${wanted}__`)) return true;
    return wanted.includes("*") && tool.startsWith("mcp__") && matchGlob(wanted, tool) === true;
  }
  // Another server's tool may share the name of one of the agent's tools, but is a different tool.
  if (tool.startsWith("mcp__") && own === tool) return false;
  const meant = findTool(wanted);
  if (meant === null) return false;
  // For example, the personal agent lists folders (`list_dir`) where Claude Code uses `Glob`.
  return meant === findTool(own) || meant.personalAgent === own.toLowerCase();
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/**
 * Whether the arguments match the patterns in parentheses of Claude Code's syntax: a command prefix (`git add:*`) or a whole
 * command, a path glob, `domain:` with a host, an agent's or skill's name. False in doubt: a missing argument, a command that
 * only a shell can split, a path with `..`.
 */
function matchSpecifiers(
  tool: string,
  specifiers: readonly string[],
  input: ToolInput | null,
  cwd: string | null,
): boolean {
  const id = findTool(tool)?.id;
  // Every value must match: a tool may read another argument than the one that matches.
  const texts = (names: readonly string[]) => valuesOf(input, names);
  const every = (values: unknown[], fits: (text: string) => boolean) =>
    values.length > 0 && values.every((value) => typeof value === "string" && fits(value));
  if (id === "run_command") {
    const fits = (line: string) =>
      splitCommand(line)?.every((command) => specifiers.some((wanted) => matchCommand(wanted, command))) ?? false;
    return texts(ARGUMENT_LISTS).length === 0 && every(texts(COMMANDS), fits);
  }
  if (id === "web_fetch") {
    const hosts = specifiers.flatMap((wanted) => (wanted.startsWith("domain:") ? [wanted.slice(7)] : []));
    return every(texts(["url"]), (url) => hosts.some((host) => isHost(host, hostOf(url))));
  }
  if (id !== undefined && FILE_TOOLS.has(id)) {
    const globs = specifiers.map((wanted) => wanted.replace(/^\.\//, ""));
    return every(texts(PATHS), (text) => {
      const path = plainPath(text, cwd);
      return path !== null && globs.some((glob) => matchGlob(glob, path) === true);
    });
  }
  if (id === "delegate" || id === "use_skill") {
    return every(texts(NAMES), (name) => specifiers.includes(name));
  }
  return false;
}

/** True in doubt. Commands inside another one (`env`, `sudo`, a script) are not inspected. */
function touchesSpecifiers(
  tool: string,
  specifiers: readonly string[],
  input: ToolInput | null,
  cwd: string | null,
): boolean {
  const id = findTool(tool)?.id;
  const some = (names: readonly string[], touches: (text: string) => boolean) => {
    const values = valuesOf(input, names);
    return values.length === 0 || values.some((value) => typeof value !== "string" || touches(value));
  };
  if (id === "run_command") {
    const touches = (line: string) =>
      splitCommand(line)?.some((part) => {
        const command = part.replace(ASSIGNMENTS, "");
        return /^\S*["'\\$*?[]/.test(command) || specifiers.some((wanted) => matchCommand(wanted, command));
      }) ?? true;
    return valuesOf(input, ARGUMENT_LISTS).length > 0 || some(COMMANDS, touches);
  }
  if (id === "web_fetch") {
    if (!specifiers.every((wanted) => wanted.startsWith("domain:"))) return true;
    return some(["url"], (url) => {
      const host = hostOf(url);
      return host === null || specifiers.some((wanted) => isHost(wanted.slice(7), host));
    });
  }
  if (id !== undefined && FILE_TOOLS.has(id)) {
    return some(PATHS, (text) => {
      const path = plainPath(text, cwd);
      return path === null || specifiers.some((glob) => matchGlob(glob.replace(/^\.\//, ""), path) !== false);
    });
  }
  if (id === "delegate") return some(NAMES, (name) => specifiers.includes(name));
  return true;
}

function valuesOf(input: ToolInput | null, names: readonly string[]): unknown[] {
  return names.flatMap((name) => (input !== null && Object.hasOwn(input, name) ? [input[name]] : []));
}

function matchCommand(wanted: string, command: string): boolean {
  const beginning = /^(.*?)(?::\*| \*)$/.exec(wanted)?.[1];
  if (beginning === undefined) return wanted.includes("*") ? matchGlob(wanted, command) === true : wanted === command;
  return command === beginning || command.startsWith(`${beginning} `);
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return null; // `new URL` throws for a text that is no address.
  }
}

function isHost(wanted: string, host: string | null): boolean {
  if (host === null) return false;
  const plain = wanted.trim().toLowerCase();
  return plain.startsWith("*.") ? host.endsWith(plain.slice(1)) : host === plain;
}

/** A path relative to the working directory when it is inside it; null for a path with `..`; other paths unchanged. */
function plainPath(path: string, cwd: string | null): string | null {
  if (path === "" || path.includes("\0") || path.split(/[\\/]/).includes("..")) return null;
  const base = cwd === null ? null : `${cwd.replace(/\/+$/, "")}/`;
  if (base !== null && path.startsWith(base)) return path.slice(base.length);
  return path.replace(/^\.\//, "");
}

/** Splits a command line into simple commands, with POSIX quoting; null when only a shell can split it. */
export function splitCommand(line: string): string[] | null {
  const commands: string[] = [];
  let current = "";
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote === "'") {
      if (char === "'") quote = null;
      current += char;
      continue;
    }
    if (char === "`" || (char === "$" && (next === "(" || next === "{" || next === "'" || next === '"'))) return null;
    if (char === "\\") {
      if (next === "" || next === "\n" || next === "\r") return null;
      current += char + next;
      at += 1;
      continue;
    }
    if (quote === '"') {
      if (char === '"') quote = null;
      current += char;
      continue;
    }
    if (char === "'" || char === '"') quote = char;
    if ("<>(){}#".includes(char)) return null;
    if (";&|\n\r".includes(char)) {
      commands.push(current);
      current = "";
      continue;
    }
    current += char;
  }
  if (quote !== null) return null;
  const parts = [...commands, current].map((part) => part.trim()).filter((part) => part !== "");
  return parts.length === 0 ? null : parts;
}
