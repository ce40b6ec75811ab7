import { expect, test } from "vitest";
import type { z } from "zod";
import { fieldErrors } from "@/lib/core/field-errors";
import type { RouteHandler } from "@/lib/http/route";
import { ROUTES } from "./generated/routes";

type Json = z.core.JSONSchema.BaseSchema;

/** Texts of the validator, and field keys in place of labels. */
const RAW = /expected|received|Too small|Too big|Invalid input|^[a-z]+(\.\d+|\.[a-z]+)/i;
/** Labels of fields that contain a word of the validator. */
const NAMED = /^Expected columns|\b(?:expects|expected)\b(?= (?:is|must|has))/i;

const LONG = "x".repeat(300_000);
const VALUES = [
  undefined,
  null,
  "",
  " ",
  LONG,
  "\u0000",
  "x",
  7,
  -1,
  1.5,
  1e30,
  Number.NaN,
  true,
  [],
  [7],
  {},
  { x: 7 },
];

/** Yields values of the right shape for a schema, with one wrong field each. */
function* probes(schema: Json, depth = 0): Generator<unknown> {
  yield* VALUES;
  if (depth > 4) return;
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as Json[]) yield* probes(option, depth + 1);
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    const rest = kindsOf(schema);
    for (const value of probes(inner as Json, depth + 1)) yield { ...rest, [key]: value };
  }
  if (schema.items && !Array.isArray(schema.items)) {
    for (const value of probes(schema.items as Json, depth + 1)) yield [value];
    yield Array.from({ length: 3_000 }, () => "x");
  }
  if (typeof schema.additionalProperties === "object") {
    for (const value of probes(schema.additionalProperties as Json, depth + 1)) yield { "a key": value, key: value };
  }
}

/** Returns the constants of a schema, which select an option of a union. */
function kindsOf({ properties = {} }: Json): Record<string, unknown> {
  const constants = Object.entries(properties).flatMap(([key, inner]) =>
    typeof inner === "object" && inner.const !== undefined ? [[key, inner.const]] : [],
  );
  return Object.fromEntries(constants);
}

test("every request of the API is refused in sentences that name the field", async () => {
  const { z } = await import("zod");
  const raw = new Set<string>();
  let count = 0;
  for (const [path, load] of Object.entries(ROUTES)) {
    for (const [method, handler] of Object.entries(await load())) {
      const definition = (handler as Partial<RouteHandler>).definition;
      if (!definition) continue;
      for (const part of ["params", "query", "body"] as const) {
        const schema = definition[part];
        if (!schema) continue;
        for (const value of probes(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))) {
          const { error } = schema.safeParse(value);
          for (const { message } of error ? fieldErrors(error, `The ${part}`) : []) {
            count += 1;
            const isSentence = /^[\p{Lu}“].*\.$/su.test(message);
            if (!isSentence || RAW.test(message.replace(NAMED, ""))) raw.add(`${method} ${path} ${part}: ${message}`);
          }
        }
      }
    }
  }
  expect([...raw].slice(0, 40)).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
}, 120_000);
