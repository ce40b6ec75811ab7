import { type Found, type FoundParam, isFlag, lineAt } from "./found";

const MAX_BRANCHES = 100;

/** Flags that a shell script looks for in a `case` of its own. */
export function readCaseLoop(text: string): Found | null {
  if (!/\b(?:while|for|until)\b/.test(text) || !/\bcase\b/.test(text)) return null;
  const branches = [...text.matchAll(/^[ \t(]*(["']?-[^()\n]{1,200})\)/gm)];
  const params = new Map<string, FoundParam>();
  for (const [at, match] of branches.slice(0, MAX_BRANCHES).entries()) {
    const start = match.index + match[0].length;
    const until = Math.min(branches[at + 1]?.index ?? text.length, start + 600);
    const body = text.slice(start, until).split(";;")[0] ?? "";
    const param = paramOf((match[1] ?? "").replace(/["'\s]/g, "").split("|"), body);
    if (param !== null && !params.has(param.flag ?? "")) params.set(param.flag ?? "", param);
  }
  const first = branches[0];
  if (params.size === 0 || first === undefined) return null;
  const more: FoundParam = { name: "arguments", kind: "positional", type: "string", required: false, repeat: true };
  return {
    params: [...params.values(), more],
    standard: false,
    readFrom: "a case of flags",
    line: lineAt(text, first.index + 1),
    confidence: "described",
    note: "Its flags were read from a loop. Check which take a value, and what it takes without a flag.",
  };
}

function paramOf(patterns: string[], body: string): FoundParam | null {
  const joined = patterns.find((pattern) => /^--[\w-]+=\*$/.test(pattern));
  const flags = patterns.filter(isFlag);
  const flag = flags.find((word) => word.startsWith("--")) ?? flags[0] ?? joined?.replace("=*", "");
  if (flag === undefined || flags.some((word) => /^(-h|--help|--version)$/.test(word))) return null;
  const takesValue = flags.length === 0 || /\$\{?[2@]/.test(body) || /\bshift\b\s*;?\s*\w+=["']?\$\{?1/.test(body);
  if (!takesValue) return { name: flag, kind: "flag", flag, type: "boolean", required: false };
  const variable = /([A-Za-z_]\w{0,60})(?:\+)?=/.exec(body)?.[1];
  const isList = /\w\+=\(/.test(body);
  return {
    ...{ name: flag, kind: "option", flag, type: "string", required: false },
    ...(variable ? { help: `Sets ${variable}.` } : {}),
    ...(flags.length === 0 ? { joined: true } : {}),
    ...(isList ? { repeat: true } : {}),
  };
}
