import type { JsonObject } from "@/lib/skill-format/schema";

/** Names by which the arguments of a run on a host say which host; the first is the one that schemas ask for. */
export const EDGE_ARGUMENTS = ["edge_id", "device_id"] as const;

type CallableSkill = { scope: "manager" | "host"; schema: JsonObject | null };

/** Whether the skill's own schema has an argument of this name: then it is the skill's, and is passed on. */
export function namesArgument(schema: JsonObject | null, name: string): boolean {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
}

/**
 * The schema of what a caller sends: the skill's own, and for a skill of scope host a required `edge_id` before it, the id
 * or name of the edge that it runs on. Null for what takes no arguments at all (playbooks).
 */
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
  description: "Id or name of the edge (worker) that it runs on.",
};

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The text of a playbook with what the caller typed after its name, as Claude Code's documentation describes it:
 * `$ARGUMENTS` is all of it as typed, `$ARGUMENTS[0]` and `$0` are single words, and `$name` those that the frontmatter names.
 * Quotes keep words together. A word that was not given leaves its place as it is; a backslash before the `$` keeps it too.
 * Without any place in the text, what was typed stands at its end.
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

/** Words as a shell would split them; a quote that is not closed is a letter like others. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"']|["'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double?: string, single?: string) => double ?? single ?? ""),
  );
}
