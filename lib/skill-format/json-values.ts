import type { JsonObject } from "./schema";

/** Whether parsed JSON or YAML is an object. */
export function isMapping(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a text says as JSON; null when it says none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The only way to ask.
  }
}

/** Names that reach an object's prototype when a careless copy is made; they never enter a manifest. */
export function isDangerousKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

/** Text that every database keeps: NUL and lone surrogates, which PostgreSQL refuses, become U+FFFD. */
export function storableText(text: string): string {
  // Most texts have no surrogates at all; looking for halves of them costs more than looking for any.
  return SUSPECT.test(text) ? text.replace(/\0|\p{Surrogate}/gu, "\ufffd") : text;
}

const SUSPECT = /[\0\ud800-\udfff]/;
