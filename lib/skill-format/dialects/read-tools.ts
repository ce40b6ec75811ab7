import { isMapping } from "@/lib/skill-format/json-values";
import { type DeclaredTool, skillClassOf } from "../schema";
import type { Note, Reading, WrittenValue } from "./dialect";
import { findTool, NO_TOOL, parseAllowedTools, parseToolPattern } from "./tools";

export function readTools({ value }: WrittenValue): Reading {
  const patterns = parseAllowedTools(value) ?? [];
  if (isToolList(value) && (patterns.length > 0 || isEmptyTools(value))) return { value: patterns };
  const note = toolsUnreadable("the unreadable part allows no tool");
  return { value: patterns.length === 0 ? [NO_TOOL] : patterns, note };
}

/** One unreadable pattern spoils the list, because it might deny any tool. */
export function readDeniedTools({ value }: WrittenValue): Reading {
  // YAML reads `Bash(rm: *)` as a mapping; it means `Bash(rm:*)`.
  const patterns = (parseAllowedTools(value) ?? []).map((pattern) => pattern.replace(/:\s+\*\)$/, ":*)"));
  const isWhole = isToolList(value) && (patterns.length > 0 || isEmptyTools(value));
  if (isWhole && patterns.every(isDeniedPattern)) return { value: patterns };
  return { value: ["*"], note: toolsUnreadable("every tool is denied") };
}

function isDeniedPattern(pattern: string): boolean {
  const { tool, specifier } = parseToolPattern(pattern);
  if (/^(?:all|any|every|everything)$/i.test(tool)) return false;
  if (!/^(?:\*|[A-Za-z][\w-]*|mcp__[\w.*:@/-]+)$/.test(tool)) return false;
  let depth = 0;
  for (const char of specifier ?? "") {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function isToolList(value: unknown): boolean {
  if (typeof value === "string") return true;
  return Array.isArray(value) && value.every((item) => parseAllowedTools([item])?.length === 1);
}

function isEmptyTools(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value === "string" && value.trim() === "";
}

function toolsUnreadable(effect: string): Note {
  const message = `The list of tools must be names in a text or a list; ${effect}.`;
  return { code: "tools_unreadable", severity: "warning", message };
}

export function readMaybeTools({ value }: WrittenValue): Reading {
  const patterns = typeof value === "string" || Array.isArray(value) ? (parseAllowedTools(value) ?? []) : [];
  if (!patterns.some((pattern) => findTool(parseToolPattern(pattern).tool) !== null)) return { skip: true };
  const message = '"tools" is read as "allowed-tools". Most agents do not know this field.';
  return { value: patterns, note: { code: "tools_synonym", severity: "info", message } };
}

/** `tools: [{name, impl, class, …}]`. Lists of names belong to other programs. An unknown class counts as dangerous. */
export function readDeclaredTools(value: unknown): Reading {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isDeclared)) return { skip: true };
  const unknown = value.filter((tool) => classOf(tool.class) === null).map((tool) => tool.name);
  const tools = value.map(readDeclaredTool);
  if (unknown.length === 0) return { value: tools };
  const message = `The class of ${unknown.join(", ").slice(0, 80)} is unknown and counts as dangerous.`;
  return { value: tools, note: { code: "tool_class_unknown", severity: "warning", message } };
}

type RawTool = Record<string, unknown> & { name: string };

function isDeclared(tool: unknown): tool is RawTool {
  return (
    isMapping(tool) && typeof tool.name === "string" && ["impl", "class", "description"].some((key) => key in tool)
  );
}

function readDeclaredTool(tool: RawTool): DeclaredTool {
  const text = (key: string) => (typeof tool[key] === "string" ? tool[key] : null);
  return {
    name: tool.name,
    impl: text("impl"),
    class: classOf(tool.class) ?? "dangerous",
    description: text("description"),
    whenToUse: text("when_to_use"),
    confirmation: text("confirmation"),
    timeoutSeconds: typeof tool.timeout_seconds === "number" ? tool.timeout_seconds : null,
  };
}

function classOf(word: unknown): DeclaredTool["class"] | null {
  if (word === undefined || word === null || word === "") return "safe";
  return typeof word === "string" ? skillClassOf(word) : null;
}
