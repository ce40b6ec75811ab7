import { z } from "zod";
import { type JsonObject, SkillClass } from "@/lib/skill-format/schema";
import type { BuiltinMetadata } from "./builtin";

const DEFAULT_TIMEOUT_SECONDS = 30;

/** The build's description of a built-in. Throws when the name differs from the file's, or the class is unknown. */
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
