import { isFailure, parseYamlBlock } from "./parse-yaml-block";
import type { ParseYaml } from "./repair-budget";

/**
 * The value of relaxed JSON, as skills write it into `metadata`: commas before a closing bracket, texts without quotes,
 * comments, line breaks, backslashes that a Markdown editor put before brackets, and closing brackets that are missing at
 * the end (of texts in quotes and of mappings; `[a b` is more likely a text). Undefined when it still cannot be read.
 */
export function readFlow(text: string, parse: ParseYaml = parseYamlBlock): unknown {
  const flat = joinLines(text.split("\n"));
  if (!/^[[{]/.test(flat)) return undefined;
  const plain = flat.replace(/\\([[\]{}_*])/g, "$1");
  for (const candidate of [flat, balance(flat), plain, balance(plain)]) {
    const parsed = candidate === null ? null : parse(`value: ${candidate}`);
    if (parsed !== null && !isFailure(parsed)) return parsed.values.value;
  }
  return undefined;
}

/** Lines as one, without the blanks at their ends. */
export function joinLines(lines: string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

const CLOSERS: Record<string, string> = { "{": "}", "[": "]" };

/** The text with the closing brackets that it lacks, or null when its brackets do not fit each other. */
function balance(text: string): string | null {
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
  return open.length === 0 || isQuoted ? null : text + open.reverse().join("");
}
