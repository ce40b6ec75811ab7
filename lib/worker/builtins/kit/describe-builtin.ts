import { z } from "zod";
import { type JsonObject, SkillClass } from "@/lib/skill-format/schema";
import type { BuiltinMetadata } from "./builtin";

const DEFAULT_TIMEOUT_SECONDS = 30;

/**
 * What the build writes down of a built-in: its `skill.json`, what the release's approval says, and what its program needs
 * to know. Throws when the name is not the file's, or a class is none.
 */
export function describeBuiltin(fileName: string, metadata: BuiltinMetadata) {
  const { name, label, description, category, resultPreview, grants = {}, context } = metadata;
  if (name !== fileName) throw new Error(`The built-in in ${fileName}.ts calls itself ${name}.`);
  if (metadata.class !== undefined) SkillClass.parse(metadata.class);
  const timeoutSeconds = metadata.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const schema = schemaOf(metadata);
  return {
    name,
    declaresClass: metadata.class !== undefined,
    class: metadata.class ?? "safe",
    scope: metadata.scope ?? "host",
    grants: { ...grants, env: grants.env ?? [], timeoutSeconds },
    ...(context === undefined ? {} : { context }),
    defaults: defaultsOf(schema),
    paths: (grants.paths ?? []).map(({ path }) => path),
    skillJson: {
      name,
      label,
      description,
      ...(metadata.class === undefined ? {} : { class: metadata.class }),
      // A host is where the server takes it to run unless it says so.
      ...(metadata.scope === "manager" ? { scope: "manager" } : {}),
      category,
      entry: "main.mjs",
      schema,
      env_allow: grants.env ?? [],
      timeout_seconds: timeoutSeconds,
      result_preview: resultPreview,
    },
  };
}

/** A raw schema is kept to the letter. */
function schemaOf({ schema }: BuiltinMetadata): JsonObject {
  if (typeof schema !== "function") return schema;
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema(), { io: "input" }) as JsonObject;
  return rest;
}

function defaultsOf(schema: JsonObject): JsonObject {
  const properties = (schema.properties ?? {}) as Record<string, { default?: unknown }>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      property.default === undefined ? [] : [[name, property.default]],
    ),
  );
}
