import { parseToolPattern } from "@/lib/skill-format/allowed-tools";
import { findTool } from "@/lib/skill-format/tool-aliases";
import { matchGlob } from "../match-glob";
import { matchSpecifiers, type ToolInput, touchesSpecifiers } from "./match-specifier";

export type ToolQuestion = {
  /** As the agent calls it: its own name, one of Skillgate's, or `mcp__server__tool`. */
  tool: string;
  input: ToolInput | null;
  cwd: string | null;
  /** Patterns of the active skill; null when nothing limits. */
  limit: readonly string[] | null;
  /** Patterns that the active skill takes away, whatever it allows. */
  denied: readonly string[];
  /** What the agent calls Skillgate's own server. */
  server: string;
  /** Names that are always allowed. */
  machinery: readonly string[];
  /** Names of the skills that the session can call as tools. */
  skillTools: readonly string[];
};

export type ToolDecision = { allowed: boolean; reason: string };

/**
 * Whether the limit of the active skill lets a tool be called. The machinery of skills always may. What the skill takes away
 * goes over what it allows. A list without one name that anybody knows leaves nothing else; in a list with some, an unknown
 * name means the tool of just that name. Names count by what they mean (`Bash` is `run_command`), and the words in
 * parentheses have to fit the arguments; a call that cannot be told apart from what is taken away is taken away too.
 */
export function decideTool(question: ToolQuestion): ToolDecision {
  const { tool, input, cwd, limit, denied, server, machinery, skillTools } = question;
  const own = ownName(tool, server);
  if (machinery.includes(own) || (own === tool && findTool(tool)?.id === "use_skill")) {
    return { allowed: true, reason: "Tools for skills are always allowed." };
  }
  const taken = denied.find((pattern) => takesAway(pattern, { tool, own, input, cwd }));
  if (taken !== undefined) return { allowed: false, reason: `It takes ${taken} away while it is active.` };
  if (limit === null) return { allowed: true, reason: "No active skill limits the tools." };
  const patterns = limit.map(parseToolPattern);
  const knows = (name: string) =>
    findTool(name) !== null || name.startsWith("mcp__") || skillTools.some((known) => isSame(known, name));
  if (!patterns.some((pattern) => knows(pattern.tool))) {
    return {
      allowed: false,
      reason: "Its list names no tool that is known here, so only tools for skills are allowed.",
    };
  }
  const fitting = patterns.filter((pattern) => meansTool(pattern.tool, tool, own));
  if (fitting.length === 0) {
    return { allowed: false, reason: `It allows ${limit.join(", ")}, and not ${own}.` };
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

/** A tool of Skillgate's own server without the prefix that agents put before it. */
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
  // Another server's tool may be called like one of the agent's, and is none.
  if (tool.startsWith("mcp__") && own === tool) return false;
  const meant = findTool(wanted);
  if (meant === null) return false;
  // One agent lists folders where Claude Code globs.
  return meant === findTool(own) || meant.personalAgent === own.toLowerCase();
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
