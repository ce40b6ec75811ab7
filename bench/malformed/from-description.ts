import type { Random } from "@/lib/skill-format/testing/seeded-random";
import { type Fixture, http, type Input } from "./input";
import { mutateJson, NASTY } from "./mutate";

type Schema = Record<string, unknown>;
type Operation = {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
};
export type Description = { paths: Record<string, Record<string, Operation>> };

/** Would lock out this bench instead of testing the server: its own limits and sign-in. */
const KEEP_OUT = /^\/api\/(setup|me\/password|auth)/;
const OWN_LIMITS = ["requestsPerMinute", "runsPerMinute", "importsPerHour"];
const DEPTH = 5;

/** A request to an address of the OpenAPI description, with one invalid part. */
export function fromDescription({ paths }: Description, fixture: Fixture, random: Random): Input {
  const operations = Object.entries(paths)
    .filter(([path]) => !KEEP_OUT.test(path))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const { path, method, operation } = operations[random.below(operations.length)] ?? {
    path: "/",
    method: "get",
    operation: {},
  };
  const wrong = random.below(3);
  const address = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const isWrong = wrong === 0 && random.below(2) === 0;
    return encodeURIComponent(isWrong ? textOf(NASTY[random.below(NASTY.length)]) : known(name, fixture, random));
  });
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "query" && random.below(2) === 0)
    .map(({ name, schema }) => {
      const value = wrong === 1 ? NASTY[random.below(NASTY.length)] : sample(schema ?? {}, random, 0);
      return `${encodeURIComponent(name)}=${encodeURIComponent(
        textOf(value)
          .slice(0, 3_000)
          .replaceAll(/\p{Surrogate}/gu, "\ufffd"),
      )}`;
    })
    .join("&");
  const schema = operation.requestBody?.content?.["application/json"]?.schema;
  const value = schema === undefined ? undefined : sample(schema, random, 0);
  const body = wrong === 2 ? mutateJson(value, random) : value;
  return http(`${method.toUpperCase()} ${path}`, method.toUpperCase(), query === "" ? address : `${address}?${query}`, {
    ...(schema === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(harmless(body)) ?? "" }),
  });
}

function known(name: string, { skillId, digest, runId, userId }: Fixture, random: Random): string {
  if (name === "digest") return digest;
  const ids = [skillId, runId, userId, "00000000-0000-7000-8000-000000000000"];
  return ids[random.below(name === "skillId" ? 1 : ids.length)] ?? skillId;
}

function sample(schema: Schema, random: Random, depth: number): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[random.below(schema.enum.length)];
  const options = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Schema[] | undefined;
  if (options?.length) return sample(options[random.below(options.length)] ?? {}, random, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[random.below(schema.type.length)] : schema.type;
  if (type === "object" || schema.properties) {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const required = (schema.required ?? []) as string[];
    const chosen = properties.filter(([name]) => required.includes(name) || (depth < DEPTH && random.below(3) === 0));
    return Object.fromEntries(chosen.map(([name, inner]) => [name, sample(inner, random, depth + 1)]));
  }
  if (type === "array")
    return Array.from({ length: random.below(3) }, () => sample((schema.items ?? {}) as Schema, random, depth + 1));
  if (type === "integer" || type === "number") return Number(schema.minimum ?? 1) + random.below(5);
  if (type === "boolean") return random.below(2) === 0;
  if (type === "null") return null;
  if (schema.format === "date-time") return "2027-01-01T00:00:00.000Z";
  if (schema.format === "email") return "person@example.test";
  if (schema.format === "uri") return "http://127.0.0.1:9/x";
  return ["probe", "a", "0 * * * *", "Europe/Berlin", "name/of", "sgc_x"][random.below(6)];
}

function harmless(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const isWait = (key: string, value: unknown) => key === "wait" && typeof value === "number" && value > 0;
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => !OWN_LIMITS.includes(key) && !isWait(key, value)),
  );
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return Buffer.from(text.slice(0, 3_000)).toString("utf8");
}
