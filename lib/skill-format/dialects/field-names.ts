/**
 * Top-level keys that skills really use (in the order of how many repositories do). The repairs take them for the beginning
 * of a field where the text alone does not tell.
 */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...["name", "description", "metadata", "license", "allowed-tools", "version", "compatibility", "argument-hint"],
  ...["author", "user-invocable", "tags", "triggers", "disable-model-invocation", "homepage", "category"],
  ...["dependencies", "when_to_use", "when-to-use", "context", "tools", "title", "platforms", "prerequisites"],
  ...["related_skills", "trigger", "requires", "model", "hooks", "agent", "effort", "paths", "shell", "arguments"],
  ...["always", "slug", "summary", "keywords", "emoji", "allowed_tools", "activation", "class", "scope", "label"],
  ...["depends", "install", "required_environment_variables"],
]);

/** How the two fields that every skill has are called where somebody, or a translating program, did not write English. */
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

/** The known field that a key means which is written in another letter case or language; null when there is none. */
export function knownFieldFor(key: string): string | null {
  const lower = key.trim().toLowerCase();
  if (Object.hasOwn(TRANSLATED, lower)) return TRANSLATED[lower] ?? null;
  return KNOWN_KEYS.has(lower) ? lower : null;
}

/** Lines in which a field was recognised, as `key: value`; `changed` are their numbers, from 1. */
export type NormalizedBlock = { block: string; changed: number[] };

const MAX_LINE_CHARS = 8_192;

const FORMS: readonly RegExp[] = [
  // `**Key:** value`, `**Key**: value` and `**Key: value**`, with an ordinary or a full-width colon.
  /^\*\*([^*:：]{1,40})(?:[:：]\s*\*\*|\*\*\s*[:：])\s*(.*)$/,
  /^\*\*([^*:：]{1,40})[:：]\s*([^*]+)\*\*$/,
  /^<([a-z-]{1,40})>(.*)<\/\1>$/i,
  /^["']?([\p{L}_-]{1,40})["']?[ \t\u00a0]*(?:[:：][ \t\u00a0]*|=[ \t\u00a0]+)(.*)$/u,
];

const LABEL = /^\s*\*\*[^*:：]{1,40}(?:[:：]|\*\*\s*[:：])/;

/**
 * A block whose fields are written in other ways than `key: value`: in bold, as items of a list, headings, a quotation, a table or
 * tags, with another colon, with no blank behind it, or indented. Only keys that skills are known to have are recognised; the
 * other lines are kept below the field that they follow. Null when nothing was recognised.
 */
export function normalizeFields(block: string): NormalizedBlock | null {
  const changed: number[] = [];
  const lines = block.split("\n").map((line, index) => {
    const field = readField(line);
    // A label that nobody knows is no part of the field above it.
    if (field === null) return line.trim() === "" || LABEL.test(line) ? "" : `  ${line.trim()}`;
    if (field !== line) changed.push(index + 1);
    return field;
  });
  return changed.length === 0 ? null : { block: lines.join("\n"), changed };
}

/** A line as `key: value`, or null when it has no known key or is longer than any field. */
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
