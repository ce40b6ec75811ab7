/** Splits a command line into simple commands, with POSIX quoting; null when only a shell can split it. */
export function splitCommand(line: string): string[] | null {
  const commands: string[] = [];
  let current = "";
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote === "'") {
      if (char === "'") quote = null;
      current += char;
      continue;
    }
    if (char === "`" || (char === "$" && (next === "(" || next === "{" || next === "'" || next === '"'))) return null;
    if (char === "\\") {
      if (next === "" || next === "\n" || next === "\r") return null;
      current += char + next;
      at += 1;
      continue;
    }
    if (quote === '"') {
      if (char === '"') quote = null;
      current += char;
      continue;
    }
    if (char === "'" || char === '"') quote = char;
    if ("<>(){}#".includes(char)) return null;
    if (";&|\n\r".includes(char)) {
      commands.push(current);
      current = "";
      continue;
    }
    current += char;
  }
  if (quote !== null) return null;
  const parts = [...commands, current].map((part) => part.trim()).filter((part) => part !== "");
  return parts.length === 0 ? null : parts;
}
