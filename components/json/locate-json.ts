export type JsonPlaces = {
  /** The line of each value by its dotted path (`filter.path`, `items.0`); the root has the path "". Lines start at 1. */
  lines: ReadonlyMap<string, number>;
  /** The first line that is not JSON; null when all of it is. */
  brokenLine: number | null;
};

const token = /"(?:[^"\\\n]|\\.)*"|[{}[\],:]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Level = { path: string; kind: "{" | "["; key: string | null; index: number; expects: "item" | "colon" | "comma" };

/** Finds the lines of the values in a JSON text (RFC 8259), and the first place where it is not JSON. */
export function locateJson(text: string): JsonPlaces {
  const lines = new Map<string, number>();
  const levels: Level[] = [];
  let line = 1;
  let at = 0;
  let isDone = false;
  const broken = () => ({ lines, brokenLine: line });

  while (true) {
    while (/[ \t\r\n]/.test(text[at] ?? "")) line += text[at++] === "\n" ? 1 : 0;
    const level = levels.at(-1);
    if (at >= text.length) return { lines, brokenLine: isDone && !level ? null : line };
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined || isDone) return broken();
    at += found.length;

    if (found === "}" || found === "]") {
      const opens = found === "}" ? "{" : "[";
      const isEmpty = level?.expects === "item" && level.index === 0 && level.key === null;
      if (level?.kind !== opens || !(level.expects === "comma" || isEmpty)) return broken();
      levels.pop();
      isDone = levels.length === 0;
    } else if (found === ",") {
      if (level?.expects !== "comma") return broken();
      Object.assign(level, { expects: "item", index: level.index + 1, key: null });
    } else if (found === ":") {
      if (level?.expects !== "colon") return broken();
      level.expects = "item";
    } else if (level?.kind === "{" && level.key === null) {
      const key = level.expects === "item" ? readKey(found) : null;
      if (key === null) return broken();
      Object.assign(level, { key, expects: "colon" });
      lines.set(join(level.path, key), line);
    } else {
      if (level && level.expects !== "item") return broken();
      const path = level ? join(level.path, level.key ?? String(level.index)) : "";
      if (!lines.has(path)) lines.set(path, line);
      if (level) level.expects = "comma";
      if (found === "{" || found === "[") levels.push({ path, kind: found, key: null, index: 0, expects: "item" });
      else isDone = levels.length === 0;
    }
  }
}

/** The line of a value, or of the nearest one around it when the text does not have it. */
export function lineOfPath({ lines }: JsonPlaces, path: string): number {
  const segments = path.split(".");
  for (let length = segments.length; length > 0; length--) {
    const line = lines.get(segments.slice(0, length).join("."));
    if (line !== undefined) return line;
  }
  return lines.get("") ?? 1;
}

function readKey(text: string): string | null {
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === "string" ? key : null;
  } catch {
    return null;
  }
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
