/**
 * Top-level keys found in public skills, by number of repositories. Repairs use them to recognize the start of a field.
 */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...["name", "description", "metadata", "license", "allowed-tools", "version", "compatibility", "argument-hint"],
  ...["author", "user-invocable", "tags", "triggers", "disable-model-invocation", "homepage", "category"],
  ...["dependencies", "when_to_use", "when-to-use", "context", "tools", "title", "platforms", "prerequisites"],
  ...["related_skills", "trigger", "requires", "model", "hooks", "agent", "effort", "paths", "shell", "arguments"],
  ...["always", "slug", "summary", "keywords", "emoji", "allowed_tools", "activation", "class", "scope", "label"],
  ...["depends", "install", "required_environment_variables"],
]);

/** Names of the two required fields in other languages, as authors and translation programs write them. */
const TRANSLATED: Readonly<Record<string, string>> = {
  ...{
    名称: "name",
    名字: "name",
    技能名称: "name",
    名前: "name",
    이름: "name",
    название: "name",
    имя: "name",
    nombre: "name",
  },
  ...{ 描述: "description", 说明: "description", 技能描述: "description", 説明: "description", 설명: "description" },
  ...{ описание: "description", descripción: "description", descrição: "description", beschreibung: "description" },
};

export function knownFieldFor(key: string): string | null {
  const lower = key.trim().toLowerCase();
  if (Object.hasOwn(TRANSLATED, lower)) return TRANSLATED[lower] ?? null;
  return KNOWN_KEYS.has(lower) ? lower : null;
}

/** The block with recognized fields as `key: value`; `changed` are line numbers from 1. */
export type NormalizedBlock = { block: string; changed: number[] };

const MAX_LINE_CHARS = 8_192;

const FORMS: readonly RegExp[] = [
  // `**Key:** value`, `**Key**: value` and `**Key: value**`, with an ASCII or full-width colon.
  /^\*\*([^*:：]{1,40})(?:[:：]\s*\*\*|\*\*\s*[:：])\s*(.*)$/,
  /^\*\*([^*:：]{1,40})[:：]\s*([^*]+)\*\*$/,
  /^<([a-z-]{1,40})>(.*)<\/\1>$/i,
  /^["']?([\p{L}_-]{1,40})["']?[ \t\u00a0]*(?:[:：][ \t\u00a0]*|=[ \t\u00a0]+)(.*)$/u,
];

const LABEL = /^\s*\*\*[^*:：]{1,40}(?:[:：]|\*\*\s*[:：])/;

/**
 * Rewrites fields in other forms than `key: value`: bold, list items, headings, quotations, tables, tags, other colons,
 * missing spaces, indentation. Recognizes only known keys; other lines stay below the preceding field. Null when
 * nothing was recognized.
 */
export function normalizeFields(block: string): NormalizedBlock | null {
  const changed: number[] = [];
  const lines = block.split("\n").map((line, index) => {
    const field = readField(line);
    if (field === null) return line.trim() === "" || LABEL.test(line) ? "" : `  ${line.trim()}`;
    if (field !== line) changed.push(index + 1);
    return field;
  });
  return changed.length === 0 ? null : { block: lines.join("\n"), changed };
}

/** A line as `key: value`; null when it has no known key or is too long. */
export function readField(line: string): string | null {
  if (line.length > MAX_LINE_CHARS) return null;
  const text = line
    .trim()
    .replace(/^(?:[->*]\s+|#{1,6}\s+)/, "")
    .replace(/<br ?\/?>$/i, "")
    .trim();
  if (text.startsWith("|") && text.endsWith("|")) return readRow(text);
  for (const form of FORMS) {
    const [, key = "", value = ""] = form.exec(text) ?? [];
    const field = knownFieldFor(key);
    if (field !== null) return `${field}: ${value}`;
  }
  return null;
}

function readRow(text: string): string | null {
  const [key = "", ...cells] = text.slice(1, -1).split("|");
  const field = cells.length === 0 ? null : knownFieldFor(key);
  return field === null ? null : `${field}: ${cells.join("|").trim()}`;
}
