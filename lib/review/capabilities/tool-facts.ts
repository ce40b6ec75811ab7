import { NO_TOOL, parseToolPattern } from "@/lib/skill-format/dialects/allowed-tools";
import type { Card, ReadableSkill } from "./create-card";
import { placeOf } from "./read-texts";

const WITHOUT_ASKING = "without asking in Claude Code";
const READERS = new Map([
  ["Read", "Reading files"],
  ["Grep", "Searching in files"],
  ["Glob", "Finding files by name"],
  ["LS", "Listing folders"],
  ["TodoWrite", "Keeping a list of tasks"],
]);
/** Commands whose arguments are a program themselves, so that their name limits nothing. */
const RUNS_ANYTHING =
  /^(?:sudo|doas|env|xargs|eval|exec|nohup|ba?sh|zsh|sh|dash|fish|pwsh|powershell|python[\d.]*|node|deno|bun|npx|uvx|bunx|perl|ruby|php|ssh|docker|find|awk)$/;
const WRITERS = new Map([
  ["Write", "Writing any file"],
  ["Edit", "Editing any file"],
  ["MultiEdit", "Editing any file"],
  ["NotebookEdit", "Editing any notebook"],
]);

/**
 * `allowed-tools` is a grant: what it names runs without asking. A tool without a pattern in parentheses is the whole tool.
 */
export function addToolFacts(card: Card, { manifest, texts }: ReadableSkill): void {
  const list = placeOf(texts, "allowed-tools") ?? placeOf(texts, "allowed_tools");
  for (const pattern of manifest.allowedTools ?? []) {
    const { fact, standsOut } = describeTool(pattern);
    card.add("tools", { kind: "tool", value: pattern, fact, standsOut, at: placeOf(texts, pattern) ?? list });
  }
  for (const pattern of manifest.disallowedTools ?? []) {
    const fact = `“${pattern}” is taken away while the skill is active.`;
    card.add("tools", { kind: "tool-denied", value: pattern, fact, at: placeOf(texts, pattern) });
  }
}

function describeTool(pattern: string): { fact: string; standsOut: boolean } {
  const { tool, specifier } = parseToolPattern(pattern);
  if (pattern === NO_TOOL) {
    return { fact: "Its list of allowed tools cannot be read: it allows no tool.", standsOut: false };
  }
  const isWhole = specifier === null || /^[\s:*]*$/.test(specifier);
  if (tool === "*") return { fact: `Every tool runs ${WITHOUT_ASKING}.`, standsOut: true };
  if (tool.startsWith("mcp__")) {
    const [, server = "", ...rest] = tool.split("__");
    const what = rest.length === 0 || rest.join("__") === "*" ? "Every tool" : `“${rest.join("__")}”`;
    return { fact: `${what} of the MCP server “${server}” runs ${WITHOUT_ASKING}.`, standsOut: true };
  }
  if (tool === "Bash" || tool === "PowerShell" || tool === "Shell") return describeShell(isWhole ? null : specifier);
  if (tool === "WebFetch" || tool === "WebSearch") {
    if (!isWhole) return { fact: `${tool} runs ${WITHOUT_ASKING} for ${specifier}.`, standsOut: false };
    const what = tool === "WebFetch" ? "Fetching any address" : "Searching the web";
    return { fact: `${what} happens ${WITHOUT_ASKING}.`, standsOut: tool === "WebFetch" };
  }
  const writing = WRITERS.get(tool);
  if (writing) {
    if (isWhole) return { fact: `${writing} happens ${WITHOUT_ASKING}.`, standsOut: true };
    return { fact: `${tool} runs ${WITHOUT_ASKING} for ${specifier}.`, standsOut: false };
  }
  const reading = READERS.get(tool);
  if (reading)
    return { fact: `${reading} happens ${WITHOUT_ASKING}${isWhole ? "" : `, for ${specifier}`}.`, standsOut: false };
  return { fact: `“${pattern}” runs ${WITHOUT_ASKING}, where an agent has a tool of that name.`, standsOut: false };
}

function describeShell(specifier: string | null): { fact: string; standsOut: boolean } {
  if (specifier === null) return { fact: `Any shell command runs ${WITHOUT_ASKING}.`, standsOut: true };
  const begins = /^(.*?):?\*$/.exec(specifier)?.[1];
  if (begins !== undefined) {
    const [program = ""] = begins.trim().split(/\s+/);
    if (RUNS_ANYTHING.test(program.replace(/^.*\//, ""))) {
      const fact = `“${begins.trim()}” with any arguments, which can run anything, runs ${WITHOUT_ASKING}.`;
      return { fact, standsOut: true };
    }
    return { fact: `Shell commands that begin with “${begins.trim()}” run ${WITHOUT_ASKING}.`, standsOut: false };
  }
  return { fact: `The shell command “${specifier}” runs ${WITHOUT_ASKING}.`, standsOut: false };
}
