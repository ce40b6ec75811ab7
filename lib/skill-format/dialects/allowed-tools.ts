/**
 * The pattern that an `allowed-tools` list has in place of what cannot be read. It is the name of no tool, so that a list of it
 * alone allows none; an empty list means no limit.
 */
export const NO_TOOL = "(none)";

/**
 * The patterns of an `allowed-tools` value, each whole and in order, without repeats: a string split on commas and spaces
 * outside of parentheses, or a list. Null when there is no list; of an unreadable value there are none.
 */
export function parseAllowedTools(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const patterns =
    typeof value === "string" ? splitPatterns(value) : Array.isArray(value) ? value.flatMap(readListItem) : [];
  return [...new Set(patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== ""))];
}

/** `Bash(git add:*)` → tool `Bash`, specifier `git add:*`. Without closed parentheses the whole text is the tool. */
export function parseToolPattern(pattern: string): { tool: string; specifier: string | null } {
  const text = pattern.trim();
  const open = text.indexOf("(");
  if (open === -1 || !text.endsWith(")")) return { tool: text, specifier: null };
  return { tool: text.slice(0, open).trim(), specifier: text.slice(open + 1, -1).trim() };
}

function splitPatterns(text: string): string[] {
  const patterns: string[] = [];
  let depth = 0;
  let current = "";
  let afterSpace = false;
  for (const char of text) {
    if (depth === 0 && /\s/.test(char)) {
      afterSpace = true;
      continue;
    }
    // `Bash (git:*)` is one pattern: a space before a parenthesis does not end it.
    if (depth === 0 && (char === "," || (afterSpace && char !== "("))) {
      patterns.push(current);
      current = "";
    }
    afterSpace = false;
    if (char === "(") depth += 1;
    if (char === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || char !== ",") current += char;
  }
  return [...patterns, current];
}

function readListItem(item: unknown): string[] {
  if (typeof item === "string") return [item];
  // `- Bash(git: *)` without quotes is a YAML mapping with one key.
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    const [entry, ...more] = Object.entries(item);
    if (entry !== undefined && more.length === 0 && typeof entry[1] === "string") return [`${entry[0]}: ${entry[1]}`];
  }
  return [];
}
