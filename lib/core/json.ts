import type { z } from "zod";

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
