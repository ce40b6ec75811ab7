import type { Database } from "./database";

/**
 * The condition that a column holds a text, whichever case its ASCII letters have: SQLite's LIKE means it so by itself,
 * PostgreSQL has to be told, which the types of SQLite's client do not know.
 */
export function containsText({ dialect }: Pick<Database, "dialect">, text: string): { contains: string } {
  if (dialect === "sqlite") return { contains: text };
  // A backslash would take what follows it literally.
  return Object.assign({ contains: text.replaceAll("\\", "\\\\") }, { mode: "insensitive" });
}
