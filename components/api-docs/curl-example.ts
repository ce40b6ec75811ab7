import { shellQuote } from "@/components/runs/curl-command";
import type { ApiOperation, JsonSchema } from "./openapi";
import { asSchema, variantsOf } from "./schema-rows";

/** A command to start from: required fields only, with values of the right kind. */
export function curlExample(operation: ApiOperation, origin: string): string {
  const { method, path } = operation;
  const address = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`;
  const content = operation.requestBody?.content ?? {};
  const json = content["application/json"]?.schema;
  const lines = [`curl -sS${method === "GET" ? "" : ` -X ${method}`} ${shellQuote(address)}`];
  if (operation["x-access"] !== "public") lines.push(`-H "Authorization: Bearer $${tokenName(operation)}"`);
  if (json) lines.push("-H 'Content-Type: application/json'", `--data-raw ${shellQuote(JSON.stringify(sample(json)))}`);
  else if (content["multipart/form-data"]) lines.push("-F file=@skill.zip");
  return lines.join(" \\\n  ");
}

function tokenName(operation: ApiOperation): string {
  return operation["x-access"] === "worker" ? "SKILLGATE_WORKER_TOKEN" : "SKILLGATE_TOKEN";
}

function sample(schema: JsonSchema, depth = 0): unknown {
  const variant = variantsOf(schema)[0] ?? schema;
  if (variant.default !== undefined) return variant.default;
  if (variant.const !== undefined) return variant.const;
  if (Array.isArray(variant.enum)) return variant.enum[0];
  switch (variant.type) {
    case "object":
      return sampleObject(variant, depth);
    case "array":
      return depth > 4 ? [] : [sample(asSchema(variant.items) ?? {}, depth + 1)];
    case "integer":
    case "number":
      return typeof variant.minimum === "number" && variant.minimum > 0 ? variant.minimum : 1;
    case "boolean":
      return true;
    case "string":
      return variant.format === "date-time"
        ? "2030-01-01T00:00:00Z"
        : variant.format === "email"
          ? "mara@example.org"
          : "…";
    default:
      return {};
  }
}

function sampleObject(schema: JsonSchema, depth: number): Record<string, unknown> {
  const properties = asSchema(schema.properties) ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  // A body in which nothing is required shows its first field.
  const shown = names.filter((name) => required.includes(name));
  const picked = shown.length > 0 || depth > 0 ? shown : names.slice(0, 1);
  return Object.fromEntries(picked.map((name) => [name, sample(asSchema(properties[name]) ?? {}, depth + 1)]));
}
