import type { Database } from "./database";

/**
 * Condition that a column contains a text, ignoring ASCII case. SQLite's LIKE does so by default; PostgreSQL needs a
 * mode that the types of SQLite's client lack.
 */
export function containsText({ dialect }: Pick<Database, "dialect">, text: string): { contains: string } {
  if (dialect === "sqlite") return { contains: text };
  // In PostgreSQL a backslash escapes the next character.
  return Object.assign({ contains: text.replaceAll("\\", "\\\\") }, { mode: "insensitive" });
}
