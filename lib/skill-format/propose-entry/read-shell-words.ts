import { type Found, type FoundParam, lineAt } from "./found";

/** Arguments that a shell script takes by their number: `FILE="$1"`, `${2:-out}`. */
export function readShellWords(text: string): Found | null {
  const names = new Map<number, FoundParam>();
  const pattern =
    /^[ \t]*(?:(?:local|readonly|export|declare)[ \t]+)?([A-Za-z_]\w{0,60})=["']?\$(?:([1-9])|\{([1-9])(:?[-?][^}\n]{0,200})?\})/gm;
  let index = -1;
  for (const match of [...text.matchAll(pattern)].slice(0, 50)) {
    const number = Number(match[2] ?? match[3]);
    if (names.has(number)) continue;
    if (index === -1) index = match.index;
    const fallback = /^:?-(.*)$/s.exec(match[4] ?? "")?.[1];
    names.set(number, {
      ...{ name: (match[1] ?? "").toLowerCase(), kind: "positional", type: "string", required: fallback === undefined },
      ...(fallback === undefined || /[$`]/.test(fallback) ? {} : { default: fallback }),
    });
  }
  const last = Math.max(0, ...names.keys());
  if (last === 0) return null;
  const params = Array.from({ length: last }, (_, at): FoundParam => {
    return names.get(at + 1) ?? { name: `arg_${at + 1}`, kind: "positional", type: "string", required: true };
  });
  return {
    params,
    standard: false,
    readFrom: "$1, $2 …",
    line: lineAt(text, index + 1),
    confidence: "guessed",
    note: "It takes its arguments by their number. Check their names, and which of them it needs.",
  };
}
