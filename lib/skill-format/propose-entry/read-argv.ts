import { type Found, type FoundParam, lineAt } from "./found";

const MAX_FOUND = 50;
const NOTE = "It takes its arguments by their number. Check their names, and which of them it needs.";

const STYLES = [
  {
    readFrom: "sys.argv",
    first: 1,
    one: /(?:^|[\s;(])(?:([A-Za-z_]\w{0,60})\s*(?::\s*\w{1,40}\s*)?=\s*[\w.]{0,40}\(?\s*)?sys\.argv\[(\d)\]/gm,
    several: /^[ \t]*([A-Za-z_][\w, \t]{0,200}?)\s*=\s*sys\.argv\[1:\d?\]/m,
    all: /sys\.argv\[1:\]/,
  },
  {
    readFrom: "process.argv",
    first: 2,
    one: /(?:(?:const|let|var)\s+([A-Za-z_$][\w$]{0,60})\s*=\s*(?:[\w.]{1,40}\(\s*)?)?process\.argv\[(\d)\]/gm,
    several: /(?:const|let|var)\s+\[\s*(?:,\s*,\s*)?([A-Za-z_$][\w$, .\t=]{0,200}?)\]\s*=\s*process\.argv/m,
    all: /process\.argv\.slice\(\s*2\s*\)/,
  },
] as const;

/** Arguments that a script takes by their number, of Python or Node. */
export function readArgv(text: string): Found | null {
  for (const style of STYLES) {
    const several = style.several.exec(text);
    const params = several?.[1] ? namesIn(several[1]) : numbered(text, style);
    const match = several ?? style.all.exec(text);
    if (params.length === 0 && match === null) continue;
    const index = match?.index ?? text.indexOf(style.readFrom);
    const found = { standard: false, readFrom: style.readFrom, line: lineAt(text, index + 1), note: NOTE } as const;
    return { ...found, params: params.length > 0 ? params : [ALL], confidence: "guessed" };
  }
  return null;
}

const ALL: FoundParam = { name: "args", kind: "positional", type: "string", required: false, repeat: true };

function namesIn(list: string): FoundParam[] {
  return list.split(",").flatMap((raw): FoundParam[] => {
    const name = /^[\s.]*([A-Za-z_$][\w$]*)/.exec(raw)?.[1];
    if (name === undefined) return [];
    const isRest = raw.trim().startsWith("...");
    return [
      {
        name,
        kind: "positional",
        type: "string",
        required: !isRest && !raw.includes("="),
        ...(isRest ? { repeat: true } : {}),
      },
    ];
  });
}

function numbered(text: string, style: (typeof STYLES)[number]): FoundParam[] {
  const names = new Map<number, string | undefined>();
  for (const match of [...text.matchAll(style.one)].slice(0, MAX_FOUND)) {
    const number = Number(match[2]);
    if (number >= style.first) names.set(number, names.get(number) ?? match[1]);
  }
  const last = Math.max(0, ...names.keys());
  return Array.from({ length: Math.max(0, last - style.first + 1) }, (_, at): FoundParam => {
    const name = names.get(at + style.first) ?? `arg_${at + 1}`;
    // What is looked at after a count is needed only when it is there.
    return { name, kind: "positional", type: "string", required: at === 0 };
  });
}
