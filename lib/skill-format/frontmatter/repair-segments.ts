import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_DEPTH, MAX_FRONTMATTER_KEYS } from "@/lib/skill-format/archive/limits";
import { KNOWN_KEYS } from "@/lib/skill-format/dialects/field-names";
import { isDangerousKey, storableText } from "@/lib/skill-format/json-values";
import { emptyMapping, isFailure, type ParseYaml, type YamlMapping } from "./parse-yaml-block";
import { joinLines, readFlow } from "./read-flow";
import {
  describeRepeated,
  excerpt,
  plainTextOf,
  type Repaired,
  type RepairNote,
  type Segment,
  splitSegments,
} from "./repair-frontmatter";

/**
 * The last repair (S5): splits a block at its keys and reads each field alone. Invalid ones are read as broken JSON, as
 * a nested mapping or list, or as plain text. Null when there is no known field.
 */
export function repairSegments(block: string, parse: ParseYaml): Repaired | null {
  if (block.length > MAX_FRONTMATTER_BYTES) return null;
  const notes: RepairNote[] = [];
  const clean = dropConflictMarkers(block, notes);
  const { segments, before } = splitSegments(clean);
  if (segments.length > MAX_FRONTMATTER_KEYS || !segments.some(({ key }) => KNOWN_KEYS.has(key))) return null;
  const unread = before.findIndex((line) => !/^\s*(#|$)/.test(line));
  if (unread !== -1) {
    const message = `Text before the first field was left out: ${excerpt(before[unread] ?? "")}`;
    notes.push({ code: "repaired_left_out", line: unread + 1, message });
  }
  const mapping = readSegments(segments, { notes, parse }, 1);
  return { mapping, stage: "S5", notes: [...notes, ...describeRepeated(mapping)] };
}

function dropConflictMarkers(block: string, notes: RepairNote[]): string {
  const lines = block.split("\n");
  for (const [index, line] of lines.entries()) {
    if (!/^(<{7}|={7}|>{7})( |$)/.test(line)) continue;
    const message = `A git conflict marker was left out: ${excerpt(line)}`;
    notes.push({ code: "repaired_conflict_marker", line: index + 1, message });
    lines[index] = "";
  }
  return lines.join("\n");
}

type Repairing = { notes: RepairNote[]; parse: ParseYaml };

function readSegments(segments: Segment[], repairing: Repairing, depth: number): YamlMapping {
  const mapping = emptyMapping();
  for (const segment of segments) {
    const { key, line } = segment;
    if (isDangerousKey(key)) {
      mapping.droppedKeys.push(key);
      continue;
    }
    if (Object.hasOwn(mapping.values, key)) mapping.repeatedKeys.push({ key, line });
    readSegment(segment, mapping, repairing, depth);
    mapping.lines.set(key, line);
  }
  return mapping;
}

function readSegment(segment: Segment, mapping: YamlMapping, repairing: Repairing, depth: number): void {
  const { key, line } = segment;
  for (const map of [mapping.texts, mapping.sources, mapping.comments]) map.delete(key);
  const alone = repairing.parse(`value: ${[segment.value, ...segment.below].join("\n")}`);
  if (!isFailure(alone) && Object.keys(alone.values).join() === "value") {
    mapping.values[key] = alone.values.value;
    mapping.droppedKeys.push(...alone.droppedKeys);
    mapping.repeatedKeys.push(...alone.repeatedKeys.map((item) => ({ ...item, line: item.line + line - 1 })));
    copy(alone.texts, mapping.texts, key);
    copy(alone.sources, mapping.sources, key);
    copy(alone.comments, mapping.comments, key);
    return;
  }
  const value = readBroken(segment, mapping, repairing, depth);
  mapping.values[key] = value;
  if (typeof value === "string") mapping.texts.set(key, value);
  const message = `"${key}" is not valid YAML. It was read as ${excerpt(JSON.stringify(value))}`;
  repairing.notes.push({ code: "repaired_field", line, message });
}

function copy(from: Map<string, string>, to: Map<string, string>, key: string): void {
  const text = from.get("value");
  if (text !== undefined) to.set(key, text);
}

function readBroken(segment: Segment, mapping: YamlMapping, repairing: Repairing, depth: number): unknown {
  const flow = readFlow([segment.value, ...segment.below].join("\n"), repairing.parse);
  if (flow !== undefined) return flow.value;
  const below = segment.below.map((text) => text.replace(/^[\s\u00a0]+/, (blank) => " ".repeat(blank.length)));
  const first = below.find((text) => text.trim() !== "") ?? "";
  if (segment.value === "" && depth < MAX_FRONTMATTER_DEPTH) {
    if (/^ *[-*] /.test(first)) return readItems(below, indentOf(first), repairing.parse);
    const inner = readNested(below, { line: segment.line, indent: indentOf(first), depth }, mapping, repairing);
    if (inner !== null) return inner;
  }
  return storableText(joinText(segment.value, below));
}

function readNested(
  below: string[],
  { line, indent, depth }: { line: number; indent: number; depth: number },
  mapping: YamlMapping,
  repairing: Repairing,
): unknown {
  if (indent === 0) return null;
  const { segments, before } = splitSegments(
    below.map((text) => text.slice(Math.min(indent, indentOf(text)))).join("\n"),
  );
  if (segments.length === 0 || before.some((text) => text.trim() !== "")) return null;
  const moved = segments.map((segment) => ({ ...segment, line: segment.line + line }));
  const nested = readSegments(moved, repairing, depth + 1);
  mapping.droppedKeys.push(...nested.droppedKeys);
  mapping.repeatedKeys.push(...nested.repeatedKeys);
  return nested.values;
}

function readItems(below: string[], indent: number, parse: ParseYaml): unknown[] {
  const items: string[][] = [];
  for (const line of below) {
    const [, text] = /^ *[-*] (.*)$/.exec(line) ?? [];
    if (text !== undefined && indentOf(line) <= indent) items.push([text]);
    else if (line.trim() !== "") items.at(-1)?.push(line.trim());
  }
  return items.map((lines) => {
    const alone = parse(`value: ${lines.join(" ")}`);
    return isFailure(alone) ? storableText(plainTextOf(lines.join(" "))) : alone.values.value;
  });
}

function joinText(value: string, below: string[]): string {
  const [, indicator, rest = ""] = /^([|>][+-]?[0-9]?)(?:\s+(.*))?$/.exec(value) ?? [];
  const heading = value === "" ? -1 : below.findIndex((line) => /^#{1,6} /.test(line));
  const text = heading === -1 ? below : below.slice(0, heading);
  const lines = [indicator === undefined ? value : rest, ...text].map((line) => line.trim());
  return indicator?.startsWith("|") ? lines.join("\n").trim() : plainTextOf(joinLines(lines));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

export type IndentedBlock = { block: string; notes: RepairNote[] };

const QUOTED = /^( *)((?:- +)*)(?:(["']?)([\p{L}_$][\p{L}\p{N}_.$/-]*)\3[ \t]*:[ \t]+)?(["'])/u;
const FIELD = /^(["']?)([\p{L}_$][\p{L}\p{N}_.$/-]*)\1[ \t]*:(?:[ \t]|$)/u;

/** Fields that an unclosed quote must not swallow, because they restrict or identify the skill. */
const KEPT: ReadonlySet<string> = new Set([
  ...["name", "description", "metadata", "requires", "prerequisites", "required_environment_variables", "platforms"],
  ...["allowed-tools", "allowed_tools", "allowedTools", "disallowed-tools", "disallowed_tools", "disallowedTools"],
  ...["disable-model-invocation", "user-invocable", "activation", "class", "hooks"],
]);

/** Indents continuation lines of quoted strings, as YAML 1.2 requires (section 7.3.1); null if none. */
export function indentQuoted(block: string): IndentedBlock | null {
  const lines = block.split("\n");
  const keys = lines.map((line) => FIELD.exec(line)?.[2]);
  const counts = countKeys(keys);
  const notes: RepairNote[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [start, spaces = "", dashes = "", , key, quote] = QUOTED.exec(lines[at] ?? "") ?? [];
    if (start === undefined || quote === undefined || (key === undefined && dashes === "")) continue;
    const end = findEnd(lines, at, start.length, quote);
    if (end === null || end === at) continue;
    const indent = spaces.length + dashes.length + (key === undefined ? 0 : 1);
    const within = lines.slice(at + 1, end + 1);
    if (
      within.some((line) => line.trim() !== "" && indentOf(line) < indent) &&
      !losesField(keys.slice(at + 1, end + 1), counts)
    ) {
      for (let next = at + 1; next <= end; next += 1)
        lines[next] = `${" ".repeat(indent)}${(lines[next] ?? "").trim()}`;
      const message = "The lines of a quoted text are not indented. It was read up to its closing quote.";
      notes.push({ code: "repaired_field", line: at + 1, message });
    }
    at = end;
  }
  return notes.length === 0 ? null : { block: lines.join("\n"), notes };
}

function findEnd(lines: string[], from: number, column: number, quote: string): number | null {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    for (let index = at === from ? column : 0; index < line.length; index += 1) {
      if (quote === '"' && line[index] === "\\") index += 1;
      else if (line[index] !== quote) continue;
      else if (quote === "'" && line[index + 1] === "'") index += 1;
      else return /^[ \t]*(?:#.*)?$/.test(line.slice(index + 1)) ? at : null;
    }
  }
  return null;
}

type Keys = readonly (string | undefined)[];

function countKeys(keys: Keys): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function losesField(within: Keys, counts: ReadonlyMap<string, number>): boolean {
  return [...countKeys(within)].some(([key, count]) => KEPT.has(key) && counts.get(key) === count);
}
