import { isFailure, parseYamlBlock } from "./parse-yaml-block";
import type { ParseYaml } from "./repair-budget";

/**
 * The value of relaxed JSON, as skills write it into `metadata`: commas before a closing bracket, texts without quotes,
 * comments, line breaks, backslashes that a Markdown editor put before brackets, and closing brackets that are missing at
 * the end (of texts in quotes and of mappings; `[a b` is more likely a text). Undefined when it still cannot be read.
 */
export function readFlow(text: string, parse: ParseYaml = parseYamlBlock): unknown {
  const flat = text.trim().replace(/\s*\n\s*/g, " ");
  if (!/^[[{]/.test(flat)) return undefined;
  const plain = flat.replace(/\\([[\]{}_*])/g, "$1");
  for (const candidate of [flat, balance(flat), plain, balance(plain)]) {
    const parsed = candidate === null ? null : parse(`value: ${candidate}`);
    if (parsed !== null && !isFailure(parsed)) return parsed.values.value;
  }
  return undefined;
}

const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** The text with the closing brackets that it lacks, or null when its brackets do not fit each other. */
function balance(text: string): string | null {
  if (!/^(\{|\[\s*["'{])/.test(text)) return null;
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    const closer = CLOSERS[token];
    if (closer !== undefined) open.push(closer);
    else if ((token === "}" || token === "]") && open.pop() !== token) return null;
  }
  return open.length === 0 ? null : text + open.reverse().join("");
}
