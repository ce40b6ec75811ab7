import { MAX_DESCRIPTION_CHARS } from "../archive/limits";
import type { JsonObject } from "../schema";
import type { EntryProposal, ScriptEntry, ScriptParam } from "./script-entry";

const MAX_PARAMS = 60;
const MAX_CHOICES = 100;

export type FoundParam = Omit<ScriptParam, "name"> & {
  name: string;
  type?: "string" | "integer" | "number" | "boolean";
  required?: boolean;
  choices?: readonly unknown[] | undefined;
  default?: unknown;
  help?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
};

export type FoundArguments = Pick<EntryProposal, "readFrom" | "line" | "confidence" | "note"> & {
  params: FoundParam[];
  standard: boolean;
};

/** Builds a proposal from the arguments found. Makes names valid and unique. */
export function buildProposal(path: string, found: FoundArguments, stdin: string | null): EntryProposal {
  const taken = new Set<string>();
  const params = found.params.slice(0, MAX_PARAMS).map((param) => ({ ...param, name: freeName(param.name, taken) }));
  const input = stdin === null ? null : freeName(stdin, taken);
  const properties: JsonObject = {};
  for (const param of params) properties[param.name] = propertyOf(param);
  if (input !== null) properties[input] = { type: "string", description: "Text for standard input." };
  const required = params.filter((param) => param.required).map(({ name }) => name);
  const entry: ScriptEntry = {
    path,
    call: {
      ...{ style: "argv", params: params.map(callOf) },
      ...(input === null ? {} : { stdin: input }),
      ...(found.standard ? { standard: true } : {}),
    },
    schema: {
      ...{ type: "object", properties, ...(required.length > 0 ? { required } : {}) },
      additionalProperties: false,
    },
    output: "text",
  };
  const { readFrom, line, confidence, note } = found;
  return { entry, readFrom, line, confidence, note };
}

function callOf({ name, kind, flag, repeat, together, joined, mayBeOption }: FoundParam): ScriptParam {
  return {
    name,
    kind,
    ...(kind !== "positional" && flag !== undefined ? { flag } : {}),
    ...(repeat ? { repeat } : {}),
    ...(together ? { together } : {}),
    ...(joined ? { joined } : {}),
    ...(mayBeOption ? { mayBeOption } : {}),
  };
}

function propertyOf(param: FoundParam): JsonObject {
  const { type = "string", repeat, help, minItems, maxItems } = param;
  const choices = [...new Set((param.choices ?? []).filter((choice) => isOf(choice, type)))].slice(0, MAX_CHOICES);
  const item: JsonObject = { type, ...(choices.length > 0 ? { enum: choices } : {}) };
  const bounds = { ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) };
  const schema: JsonObject = repeat ? { type: "array", items: item, ...bounds } : item;
  const fits = repeat
    ? Array.isArray(param.default) && param.default.every((value) => isOf(value, type))
    : isOf(param.default, type) && (choices.length === 0 || choices.includes(param.default));
  const description = (help ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION_CHARS);
  return { ...schema, ...(description === "" ? {} : { description }), ...(fits ? { default: param.default } : {}) };
}

function isOf(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type && (type !== "number" || Number.isFinite(value));
}

function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted
    .slice(0, 200)
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60);
  const base = plain === "" ? "value" : /^[0-9]/.test(plain) ? `arg_${plain}` : plain;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
  taken.add(name);
  return name;
}

export function isFlag(word: string): boolean {
  return /^--?[A-Za-z0-9?][A-Za-z0-9_.-]{0,98}$/.test(word);
}

export function chosenFlag(flags: readonly string[]): string | undefined {
  return flags.find((flag) => flag.startsWith("--")) ?? flags[0];
}

export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

export function flagParam(name: string, flag: string, help?: string): FoundParam {
  return { name, kind: "flag", flag, type: "boolean", help };
}

export const REMAINING_ARGUMENTS: FoundParam = { name: "arguments", kind: "positional", repeat: true };

/** Arguments of a script whose command names alone could be read: one command, then any arguments. */
export function withCommands(
  found: FoundArguments,
  names: readonly string[],
  before: FoundParam[] = [],
): FoundArguments {
  const command: FoundParam = { name: "command", kind: "positional", required: true, choices: names };
  const rest: FoundParam = { ...REMAINING_ARGUMENTS, mayBeOption: true, help: "Arguments after the command." };
  const note =
    "Only the command names were found. All further arguments, including options, are passed on; restrict them.";
  return { ...found, params: [...before, command, rest], confidence: "guessed", note };
}
