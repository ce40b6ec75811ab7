import type { RepairNote } from "./frontmatter/repair-frontmatter";

/** A block in which texts in quotes are indented as YAML wants it, and a note for each. */
export type IndentedBlock = { block: string; notes: RepairNote[] };

// A key, or an item of a list, with a text in quotes behind it.
const QUOTED = /^( *)((?:- +)*)(?:(["']?)([\p{L}_$][\p{L}\p{N}_.$/-]*)\3[ \t]*:[ \t]+)?(["'])/u;
const FIELD = /^(["']?)([\p{L}_$][\p{L}\p{N}_.$/-]*)\1[ \t]*:(?:[ \t]|$)/u;

/** Fields that are not lost in a text, where a quote was perhaps only forgotten: the skill would say less than its author did. */
const KEPT: ReadonlySet<string> = new Set([
  ...["name", "description", "metadata", "requires", "prerequisites", "required_environment_variables", "platforms"],
  ...["allowed-tools", "allowed_tools", "allowedTools", "disallowed-tools", "disallowed_tools", "disallowedTools"],
  ...["disable-model-invocation", "user-invocable", "activation", "class", "hooks"],
]);

/**
 * Indents the lines in which a text in quotes goes on, up to its closing quote at the end of a line. YAML 1.2 wants them indented
 * (section 7.3.1); many writers, and js-yaml, do not. Null when no such line is found.
 */
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
      const message = "A text in quotes goes on in lines that are not indented; it was read up to its closing quote.";
      notes.push({ code: "repaired_field", line: at + 1, message });
    }
    at = end;
  }
  return notes.length === 0 ? null : { block: lines.join("\n"), notes };
}

/** The line in which the quote is closed, when nothing but a comment follows it there. */
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

/** Whether a text of lines with these keys would take in a field that the block does not have elsewhere. */
function losesField(within: Keys, counts: ReadonlyMap<string, number>): boolean {
  return [...countKeys(within)].some(([key, count]) => KEPT.has(key) && counts.get(key) === count);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
