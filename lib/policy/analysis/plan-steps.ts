import { scriptInterpreter } from "@/lib/skill-format/entry/script-entry";
import { isScript } from "@/lib/skill-format/executables";
import type { JsonObject } from "@/lib/skill-format/schema";
import { fencedCommands } from "./fenced-commands";
import { type AnalysisStep, MAX_STEPS } from "./schema";

type PlannedFile = { path: string; mode: string; text: string | null };

const MAX_COMMANDS = 20;
/** Characters of all Markdown files together, which the server reads for each list of dry runs. */
const MAX_MARKDOWN = 5 * 1024 * 1024;

type PlannedVersion = { entry: string | null; schema: JsonObject | null; isPlaybook: boolean };

type Plan = { steps: AnalysisStep[]; leftOut: number };

/** What a dry run of a version executes unless a reviewer changes it: the first of `stepsOf`. */
export function planSteps(version: PlannedVersion, files: readonly PlannedFile[]): Plan {
  let commands = 0;
  const { steps, leftOut } = stepsOf(version, files, () => {
    commands += 1;
    return commands <= MAX_COMMANDS;
  });
  return { steps: steps.slice(0, MAX_STEPS), leftOut: leftOut + Math.max(0, steps.length - MAX_STEPS) };
}

/**
 * Every step that executes what a version contains: its entry with simple arguments, then every script
 * that has an interpreter, and for playbooks every fenced command of its Markdown files, one by one, whose place is
 * wanted. `leftOut` counts commands and scripts that an agent may execute and no step does.
 */
export function stepsOf(
  version: PlannedVersion,
  files: readonly PlannedFile[],
  isWanted: (path: string, line: number) => boolean,
): Plan {
  const steps: AnalysisStep[] = [];
  let leftOut = 0;
  if (version.entry !== null) steps.push({ kind: "entry", path: version.entry, args: sampleArgs(version.schema) });
  for (const { path, mode, text } of files) {
    if (path === version.entry || !isScript({ path, mode })) continue;
    // One odd byte makes a file no text; its interpreter does not mind.
    if (scriptInterpreter(path, text?.split("\n", 1)[0] ?? "") === null) leftOut += 1;
    else steps.push({ kind: "script", path, argv: [], stdin: "" });
  }
  const markdown = version.isPlaybook ? files.filter(({ path }) => /\.(md|mdx|markdown)$/i.test(path)) : [];
  const read = readable(markdown);
  for (const { path, text } of markdown) {
    const found = read.has(path) ? fencedCommands(path, text ?? "", (line) => isWanted(path, line)) : null;
    steps.push(...(found?.commands ?? []));
    leftOut += found?.leftOut ?? 1;
  }
  return { steps, leftOut };
}

/** The paths of the texts that fit, smallest first, so that no large one keeps out another. */
function readable(files: readonly PlannedFile[]): Set<string> {
  const texts = files.flatMap(({ path, text }) => (text === null ? [] : [{ path, size: text.length }]));
  let size = 0;
  const fitting = texts
    .sort((a, b) => a.size - b.size)
    .filter((text) => {
      size += text.size;
      return size <= MAX_MARKDOWN;
    });
  return new Set(fitting.map(({ path }) => path));
}

/** The task of an agent unless a reviewer writes another one. What an agent does for it is a finding of the version. */
export const AGENT_TASK =
  "Use this skill as its playbook says, from the first step to the last. Where it needs a choice or a value from me, take a sensible one.";

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
