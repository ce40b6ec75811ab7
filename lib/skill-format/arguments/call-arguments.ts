import type { JsonObject } from "@/lib/skill-format/schema";

export const EDGE_ARGUMENTS = ["edge_id", "device_id"] as const;

type CallableSkill = { scope: "manager" | "host"; schema: JsonObject | null };

/** Whether the skill's own schema has an argument of this name, which is then passed on. */
export function namesArgument(schema: JsonObject | null, name: string): boolean {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
}

/** The schema for callers: for scope host with a required `edge_id`. Null for playbooks. */
export function callSchema({ scope, schema }: CallableSkill): JsonObject | null {
  if (schema === null || scope === "manager") return schema;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    type: "object",
    properties: { edge_id: EDGE, ...properties },
    required: [...new Set(["edge_id", ...required])],
  };
}

const EDGE = {
  type: "string",
  minLength: 1,
  title: "Edge",
  description: "Id or name of the edge (worker) that runs the skill.",
};

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Fills the typed arguments into a playbook, as Claude Code documents it: `$ARGUMENTS` is the whole text,
 * `$ARGUMENTS[0]` and `$0` are single words, `$name` are words named in the frontmatter. Quotes group words. A missing
 * word and a backslash before `$` keep the placeholder. Without a placeholder, the text is appended.
 */
export function fillArguments(text: string, typed: string, names: readonly string[] = []): string {
  const words = splitWords(typed);
  let isPlaced = false;
  const filled = text.replace(PLACE, (place: string, slash: string, index?: string, short?: string, name?: string) => {
    const position = name === undefined ? Number(index ?? short ?? Number.NaN) : names.indexOf(name);
    const isAll = place.slice(slash.length) === "$ARGUMENTS";
    if (!isAll && name !== undefined && position === -1) return place;
    if (slash !== "") return place.slice(1);
    isPlaced = true;
    return isAll ? typed : (words[position] ?? place);
  });
  return typed.trim() === "" || isPlaced ? filled : `${filled.trimEnd()}\n\nARGUMENTS: ${typed}\n`;
}

const PLACE = /(\\?)\$(?:ARGUMENTS\[(\d{1,3})\]|ARGUMENTS\b|(\d{1,3})\b|([A-Za-z_][A-Za-z0-9_-]*))/g;

function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"']|["'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double?: string, single?: string) => double ?? single ?? ""),
  );
}
