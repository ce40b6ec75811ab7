import type { Dialect } from "./sql";

/** The texts, or numbers, of a JSON list that is given as one value, as rows with the column `value`. */
export function jsonList(dialect: Dialect, type: "text" | "number" = "text"): string {
  if (dialect === "sqlite") return `(SELECT "value" FROM json_each(?))`;
  return `(SELECT v${type === "number" ? "::int" : ""} AS "value" FROM json_array_elements_text(CAST(? AS json)) v)`;
}
