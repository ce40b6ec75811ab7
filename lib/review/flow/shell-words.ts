import type { Word, WordPart } from "unbash";
import { step } from "./program";
import { secretVariable } from "./secret-places";
import type { Shell } from "./shell-state";
import { concat, HOLE, join, NOTHING, textValue, type Value, withoutLabels } from "./values";

const MAX_DEPTH = 24;

export function wordValue(shell: Shell, word: Word): Value {
  return partsValue(shell, word.parts ?? [], word.value);
}

/** The values that a word becomes: an array, or an unquoted variable with spaces, becomes several. */
export function wordValues(shell: Shell, word: Word): readonly Value[] {
  const [part, more] = word.parts ?? [];
  const inner = part?.type === "DoubleQuoted" && part.parts.length === 1 ? part.parts[0] : part;
  const name =
    more !== undefined || inner === undefined
      ? ""
      : inner.type === "SimpleExpansion"
        ? inner.text.slice(1)
        : inner.type === "ParameterExpansion" && inner.prefix === undefined && isWhole(inner)
          ? inner.parameter
          : "";
  const value = name === "" ? undefined : shell.variables.get(name.replace(/^\*$/, "@"));
  if (value === undefined) return [wordValue(shell, word)];
  if (value.ref === "array()" && value.items !== undefined) return value.items.slice(skippedBy(inner));
  const [text = ""] = value.texts;
  if (part?.type === "DoubleQuoted" || value.labels.length > 0 || value.texts.length !== 1 || !text.includes(" "))
    return [wordValue(shell, word)];
  return text
    .split(/\s+/)
    .filter((one) => one !== "")
    .map(textValue);
}

type Expansion = Extract<WordPart, { type: "ParameterExpansion" }>;

/** A slice of an array is several words too. */
function isWhole({ operation, parameter, index }: Expansion): boolean {
  return operation === undefined || (operation.type === "Slice" && /^[@*]$/.test(index?.value ?? parameter));
}

/** The elements before those of `${@:3}`; arguments are counted from one. */
function skippedBy(part: WordPart | undefined): number {
  if (part?.type !== "ParameterExpansion" || part.operation?.type !== "Slice") return 0;
  const from = Number(part.operation.offset.value);
  return Number.isInteger(from) && from > 0 ? from - (/^[@*]$/.test(part.parameter) ? 1 : 0) : 0;
}

export function partsValue(shell: Shell, parts: readonly WordPart[], whole: string): Value {
  if (parts.length === 0) return literal(shell, whole);
  const value = concat(parts.map((part) => partValue(shell, part)));
  return { ...value, texts: value.texts.map((text) => text.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, "~")) };
}

/** Holes in the text of a command that another language runs carry the labels of its values. */
function literal({ program }: Shell, text: string): Value {
  return program.hole !== null && text.includes(HOLE)
    ? { ...textValue(text), labels: program.hole.labels }
    : textValue(text);
}

function partValue(shell: Shell, part: WordPart): Value {
  if (!step(shell.program) || shell.depth > MAX_DEPTH) return NOTHING;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return literal(shell, part.value);
    case "DoubleQuoted":
    case "LocaleString":
      return concat(part.parts.map((child) => partValue(shell, child)));
    case "SimpleExpansion":
      return variable(shell, part.text.replace(/^\$/, ""));
    case "ParameterExpansion": {
      if (part.prefix === "#") return NOTHING;
      const { operation } = part;
      const base = variable(shell, part.parameter);
      const keeps = operation === undefined || base.ref === "data()" || part.parameter === "@";
      if (operation?.type !== "Default") return keeps ? base : { ...base, texts: [] };
      const operand = wordValue(shell, operation.operand);
      return operation.operator.endsWith("+") ? operand : join([base, operand]);
    }
    case "CommandExpansion":
    case "ProcessSubstitution": {
      if (part.script === undefined) return NOTHING;
      if (part.type === "ProcessSubstitution" && part.operator === ">") {
        shell.sinks.push(part.script);
        return NOTHING;
      }
      shell.depth += 1;
      const output = shell.runScript(shell, part.script, NOTHING);
      shell.depth -= 1;
      return output.texts.length > 0 && output.labels.length === 0 ? output : { ...output, texts: [] };
    }
    case "BraceExpansion":
    case "ExtendedGlob":
      return literal(shell, part.text);
    default:
      return withoutLabels(NOTHING);
  }
}

function variable(shell: Shell, name: string): Value {
  const known = shell.variables.get(name);
  if (known !== undefined) return known;
  if (name === "HOME") return textValue("~");
  if (name === "MAKE") return textValue("make");
  const label = secretVariable(name);
  return label === null ? NOTHING : { ...NOTHING, labels: [label] };
}
