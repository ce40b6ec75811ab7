import { isMapping } from "@/lib/skill-format/json-values";
import { isFailure, type ParseYaml, parseYamlBlock } from "./parse-yaml-block";

/** `isRepaired`: brackets were added or backslashes removed, which must be reported. */
export type Flow = { value: unknown; isRepaired: boolean };

/**
 * Reads relaxed JSON, as skills write it into `metadata`: trailing commas, unquoted strings, comments, line breaks,
 * backslashes before brackets (from Markdown editors), and missing closing brackets. Undefined when it cannot be read,
 * when a key has no value, and when the missing end may have contained requirements.
 */
export function readFlow(text: string, parse: ParseYaml = parseYamlBlock): Flow | undefined {
  const flat = joinLines(text.split("\n"));
  if (!/^[[{]/.test(flat)) return undefined;
  const plain = flat.replace(/\\([[\]{}_*])/g, "$1");
  for (const whole of plain === flat ? [flat] : [flat, plain]) {
    const closed = balance(whole);
    for (const candidate of closed === null ? [whole] : [whole, closed.text]) {
      const parsed = parse(`value: ${candidate}`);
      if (isFailure(parsed)) continue;
      const { value } = parsed.values;
      if (lacksValues(candidate, value)) return undefined;
      const isClosed = candidate !== whole;
      if (isClosed && isTruncated(whole, value, closed?.open ?? 0)) return undefined;
      return { value, isRepaired: isClosed || candidate !== flat };
    }
  }
  return undefined;
}

/** Whether a flow collection's source has keys without a value, as YAML reads `{not json}` and `{"requires":}`. */
export function lacksValues(source: string, value: unknown): boolean {
  const nulls = countNulls(value);
  if (nulls === 0) return false;
  const unquoted = source.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/gs, '""');
  return nulls > (unquoted.match(/(?<![\w.-])null(?![\w.-])|~/gi) ?? []).length;
}

function countNulls(value: unknown): number {
  if (value === null || value === undefined) return 1;
  if (typeof value !== "object") return 0;
  return Object.values(value).reduce((sum: number, item) => sum + countNulls(item), 0);
}

/**
 * Whether a truncated mapping may have lost requirements: it ends inside a value or `requires`, or in a namespace
 * without requirements so far. `open` counts the missing brackets.
 */
function isTruncated(text: string, value: unknown, open: number): boolean {
  if (!isMapping(value)) return false;
  if (!/[}\]]$/.test(text)) return true;
  let inner: unknown = value;
  for (let depth = 1; depth < open; depth += 1) {
    const [key, last] = Object.entries(inner ?? {}).at(-1) ?? [];
    if (key === "requires") return true;
    inner = last;
    if (depth === 1 && !(isMapping(inner) && Object.hasOwn(inner, "requires"))) return true;
  }
  return false;
}

export function joinLines(lines: string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** Adds missing closing brackets; null when none are missing or brackets do not match. */
function balance(text: string): { text: string; open: number } | null {
  if (!/^(\{|\[\s*["'{])/.test(text)) return null;
  const open: string[] = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (isQuoted && char === "\\") at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (CLOSERS[char] !== undefined) open.push(CLOSERS[char]);
    else if ((char === "}" || char === "]") && open.pop() !== char) return null;
  }
  const missing = open.length;
  return missing === 0 || isQuoted ? null : { text: text + open.reverse().join(""), open: missing };
}
