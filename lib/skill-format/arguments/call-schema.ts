import type { JsonObject } from "@/lib/skill-format/schema";

/** Names by which the arguments of a run on a host say which host; the first is the one that schemas ask for. */
export const EDGE_ARGUMENTS = ["edge_id", "device_id"] as const;

type Called = { scope: "manager" | "host"; schema: JsonObject | null };

/** Whether the skill's own schema has an argument of this name: then it is the skill's, and is passed on. */
export function namesArgument(schema: JsonObject | null, name: string): boolean {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, name);
}

/**
 * The schema of what a caller sends: the skill's own, and for a skill of scope host a required `edge_id` before it, the id
 * or name of the edge that it runs on. Null for what takes no arguments at all (playbooks).
 */
export function callSchema({ scope, schema }: Called): JsonObject | null {
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
