import type { z } from "zod";
import { processStore } from "./process-store";

const MAX_KEPT = 500;
const MAX_CHARACTERS = 256 * 1024;

/**
 * The same as `parseJsonColumn` for texts that are read again and again: the values of the texts read last are kept with
 * the schema, frozen at every depth. The text is the key, so a changed one is a new one.
 */
export function keepParsed<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  if (text.length > MAX_CHARACTERS) return schema.parse(JSON.parse(text));
  const kept = keptOf(schema);
  let value = kept.get(text);
  // Which was read last counts only once something has to go.
  if (value !== undefined && kept.size < MAX_KEPT / 2) return value as z.infer<S>;
  if (value === undefined) value = freeze(schema.parse(JSON.parse(text)));
  else kept.delete(text);
  kept.set(text, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return value as z.infer<S>;
}

function keptOf(schema: object): Map<string, unknown> {
  const all = processStore("parsed-texts", () => new WeakMap<object, Map<string, unknown>>());
  const known = all.get(schema);
  if (known !== undefined) return known;
  const kept = new Map<string, unknown>();
  all.set(schema, kept);
  return kept;
}

function freeze(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
