import { scriptInterpreter } from "@/lib/skill-format/entry/script-entry";
import { isScript } from "@/lib/skill-format/executables";
import type { JsonObject } from "@/lib/skill-format/schema";
import { type AnalysisStep, MAX_STEPS } from "./schema";

type PlannedFile = { path: string; mode: string; text: string | null };

const LANGUAGES: Record<string, "sh" | "python" | "node"> = {
  ...{ sh: "sh", bash: "sh", shell: "sh", zsh: "sh", console: "sh", "shell-session": "sh", terminal: "sh" },
  ...{ py: "python", python: "python", python3: "python", js: "node", javascript: "node", node: "node", mjs: "node" },
};

const MAX_COMMAND = 16_000;
const MAX_COMMANDS = 20;

type PlannedVersion = { entry: string | null; schema: JsonObject | null; isPlaybook: boolean };

/** What a dry run of a version executes unless a reviewer changes it: the first of `stepsOf`. */
export function planSteps(
  version: PlannedVersion,
  files: readonly PlannedFile[],
): { steps: AnalysisStep[]; leftOut: number } {
  let commands = 0;
  const steps = stepsOf(version, files).filter(({ kind }) => {
    if (kind === "command") commands += 1;
    return kind !== "command" || commands <= MAX_COMMANDS;
  });
  return { steps: steps.slice(0, MAX_STEPS), leftOut: Math.max(0, steps.length - MAX_STEPS) };
}

/**
 * Every step that executes what a version contains: its entry with simple arguments, then every script
 * that has an interpreter, and for playbooks every fenced command of its Markdown files, one by one.
 */
export function stepsOf(version: PlannedVersion, files: readonly PlannedFile[]): AnalysisStep[] {
  const steps: AnalysisStep[] = [];
  if (version.entry !== null) steps.push({ kind: "entry", path: version.entry, args: sampleArgs(version.schema) });
  for (const { path, mode, text } of files) {
    if (path === version.entry || text === null || !isScript({ path, mode })) continue;
    if (scriptInterpreter(path, text.split("\n", 1)[0] ?? "") === null) continue;
    steps.push({ kind: "script", path, argv: [], stdin: "" });
  }
  if (version.isPlaybook) {
    const markdown = files.filter(({ path }) => /\.(md|markdown)$/i.test(path));
    for (const { path, text } of markdown) steps.push(...fencedCommands(path, text ?? ""));
  }
  return steps;
}

/** The task of an agent unless a reviewer writes another one. What an agent does for it is a finding of the version. */
export const AGENT_TASK =
  "Use this skill as its playbook says, from the first step to the last. Where it needs a choice or a value from me, take a sensible one.";

/** The fenced blocks of a Markdown text whose info string names a language that a worker executes (CommonMark 4.5). */
export function fencedCommands(path: string, text: string): Extract<AnalysisStep, { kind: "command" }>[] {
  const found: Extract<AnalysisStep, { kind: "command" }>[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const open = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/.exec(lines[at] ?? "");
    if (!open) continue;
    const [, fence = "", info = ""] = open;
    const close = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
    const from = at + 1;
    at = lines.findIndex((line, index) => index >= from && close.test(line));
    if (at === -1) at = lines.length;
    const language = LANGUAGES[info.toLowerCase()];
    const body = commandText(lines.slice(from, at));
    if (language && body.trim() !== "" && body.length <= MAX_COMMAND)
      found.push({ kind: "command", path, line: from + 1, language, text: body });
  }
  return found;
}

/** Of a transcript (`$ command` and its output), only the commands. */
function commandText(lines: string[]): string {
  const isTranscript = lines.some((line) => /^\s*[$>] \S/.test(line));
  const commands = isTranscript ? lines.filter((line) => /^\s*[$>] \S/.test(line)) : lines;
  return commands.map((line) => (isTranscript ? line.replace(/^\s*[$>] /, "") : line)).join("\n");
}

type Property = { type?: unknown; enum?: unknown; default?: unknown; const?: unknown; minimum?: unknown };

/** A value for every property of an argument schema, so that the entry does more than report a missing argument. */
function sampleArgs(schema: JsonObject | null): JsonObject {
  const properties = (schema?.properties ?? {}) as Record<string, Property>;
  return Object.fromEntries(
    Object.entries(properties)
      .slice(0, 50)
      .map(([name, property]) => [name, sampleValue(property)]),
  );
}

function sampleValue(property: Property): unknown {
  const { type, default: preset, const: fixed, minimum } = property ?? {};
  if (preset !== undefined) return preset;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(property?.enum) && property.enum.length > 0) return property.enum[0];
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "number" || kind === "integer") return typeof minimum === "number" ? minimum : 1;
  if (kind === "boolean") return true;
  if (kind === "array") return [];
  if (kind === "object") return {};
  return kind === "null" ? null : "example";
}
