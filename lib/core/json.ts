import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { storeOf } from "./process-store";

/** Reads a JSON column that this program wrote; a value of another shape is a broken database and throws. */
export function parseJsonColumn<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  return schema.parse(JSON.parse(text));
}

/** JSON with object keys sorted at every depth (RFC 8785 for the values used here), for hashing. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

const MAX_KEPT = 500;
const MAX_CHARACTERS = 256 * 1024;

/**
 * The same as `parseJsonColumn` for texts that are read again and again: the values of the texts read last are kept with
 * the schema, frozen at every depth. The text is the key, so a changed one is a new one.
 */
export function keepParsed<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  if (text.length > MAX_CHARACTERS) return schema.parse(JSON.parse(text));
  const kept = storeOf(schema, "parsed-texts", () => new LRUCache<string, { value: unknown }>({ max: MAX_KEPT }));
  let entry = kept.get(text);
  if (entry === undefined) {
    entry = { value: freeze(schema.parse(JSON.parse(text))) };
    kept.set(text, entry);
  }
  return entry.value as z.infer<S>;
}

function freeze(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
