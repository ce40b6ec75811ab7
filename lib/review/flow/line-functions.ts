import type { Label } from "./values";

/** A function of a language without a parser here: its parameters, what calls gave to it, and what it returns. */
export type LineFunction = { params: string[]; given: readonly Label[]; returns: readonly Label[] };

const DEFINES =
  /^\s*(?:(?:async|public|private|static|local|export)\s+){0,2}(?:function|def|func|sub|fun)\s+(?:\([^)]{0,60}\)\s*)?(?:self\.)?([A-Za-z_][\w:-]*[?!]?)\s*(?:\(([^)]{0,300})\))?/i;
const PARAMS = /^\s*(?:param\s*\(([^)]{0,300})|my\s*\(([^)]{0,300})\)\s*=\s*@_)/i;
const ENDS = /^(?:\}|end\b)/;
const MAX_FUNCTIONS = 60;

/** The name of the function that a line defines, in lower case; empty for other lines. */
export function definedIn(code: string): string {
  return DEFINES.exec(code)?.[1]?.toLowerCase() ?? "";
}

export function endsFunction(code: string): boolean {
  return ENDS.test(code);
}

/** The functions of a script by their names in lower case. */
export function functionsOf(statements: readonly { code: string }[]): Map<string, LineFunction> {
  const found = new Map<string, LineFunction>();
  let open: LineFunction | undefined;
  for (const { code } of statements) {
    const [, name = "", listed = ""] = DEFINES.exec(code) ?? [];
    if (name !== "" && found.size < MAX_FUNCTIONS) {
      open = { params: namesOf(listed), given: [], returns: [] };
      found.set(name.toLowerCase(), open);
    }
    const own = PARAMS.exec(name === "" ? code : code.slice(code.indexOf("{") + 1));
    if (own !== null) open?.params.push(...namesOf(own[1] ?? own[2] ?? ""));
    if (endsFunction(code)) open = undefined;
  }
  return found;
}

/** The functions of the script that a line calls. */
export function calledIn(code: string, functions: ReadonlyMap<string, LineFunction>): LineFunction[] {
  if (functions.size === 0) return [];
  const words = new Set([...code.matchAll(/[A-Za-z_][\w:-]*[?!]?/g)].map(([word]) => word.toLowerCase()));
  return [...words].flatMap((word) => functions.get(word) ?? []);
}

/** `string $Body = ""` in PowerShell, `b []byte` in Go, `text:` in Ruby: the name is a variable or the first word. */
function namesOf(listed: string): string[] {
  return listed.split(",").flatMap((part) => {
    const name = /[$@%](\w+)/.exec(part)?.[1] ?? /^\s*[*&]{0,2}([A-Za-z_]\w*)/.exec(part)?.[1];
    return name === undefined ? [] : [name.toLowerCase()];
  });
}
