import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { storeOf } from "./process-store";

/** Parses a JSON column that this program wrote; throws on any other shape. */
export function parseJsonColumn<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  return schema.parse(JSON.parse(text));
}

/** JSON with sorted object keys (RFC 8785 for the values used here), for hashing. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

const MAX_CACHED = 500;
const MAX_CHARACTERS = 256 * 1024;

/** Like `parseJsonColumn`, with an LRU cache per schema, keyed by the text. Values are deeply frozen. */
export function keepParsed<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  if (text.length > MAX_CHARACTERS) return schema.parse(JSON.parse(text));
  const cache = storeOf(schema, "parsed-texts", () => new LRUCache<string, { value: unknown }>({ max: MAX_CACHED }));
  let entry = cache.get(text);
  if (entry === undefined) {
    entry = { value: freeze(schema.parse(JSON.parse(text))) };
    cache.set(text, entry);
  }
  return entry.value as z.infer<S>;
}

function freeze(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
