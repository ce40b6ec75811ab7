import { isMapping } from "@/lib/skill-format/json-values";
import { isFailure, type ParseYaml, parseYamlBlock } from "./parse-yaml-block";

/** What relaxed JSON says. `isRepaired`: brackets were added, or backslashes left out; the author has to be told. */
export type Flow = { value: unknown; isRepaired: boolean };

/**
 * The value of relaxed JSON, as skills write it into `metadata`: commas before a closing bracket, texts without quotes,
 * comments, line breaks, backslashes that a Markdown editor put before brackets, and closing brackets that are missing at
 * the end (of texts in quotes and of mappings; `[a b` is more likely a text). Undefined when it still cannot be read, when a
 * key has no value, and when the end that is missing may have held requirements.
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

/** Whether the source of a value in brackets has keys without a value, as `{not json}` and `{"requires":}` have for YAML. */
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
 * Whether a mapping without its end may have gone on to what it requires: it ends in the middle of a value or of `requires`,
 * or in a namespace that has not said yet what it requires. `open` counts the brackets that are missing.
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

/** Lines as one, without the blanks at their ends. */
export function joinLines(lines: string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** The text with the closing brackets that it lacks, or null when it lacks none or its brackets do not fit each other. */
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
