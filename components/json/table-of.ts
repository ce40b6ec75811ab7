export type TableData = {
  /** The property that holds the rows; null when the value itself is the array. */
  property: string | null;
  columns: readonly string[];
  rows: readonly Record<string, unknown>[];
};

const columnsAtMost = 100;

/** Converts a value to a table: an array of objects, or an object with exactly one such array. */
export function tableOf(value: unknown): TableData | null {
  if (isRows(value)) return { property: null, rows: value, columns: columnsOf(value) };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const found = Object.entries(value).filter(([, item]) => isRows(item));
  const [only] = found;
  if (found.length !== 1 || !only) return null;
  const rows = only[1] as Record<string, unknown>[];
  return { property: only[0], rows, columns: columnsOf(rows) };
}

function isRows(value: unknown): value is Record<string, unknown>[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const areObjects = value.every((item) => typeof item === "object" && item !== null && !Array.isArray(item));
  return areObjects && value.some((item) => Object.keys(item as object).length > 0);
}

function columnsOf(rows: readonly Record<string, unknown>[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const key of Object.keys(row)) if (columns.size < columnsAtMost) columns.add(key);
  }
  return [...columns];
}

export type TableSort = { column: string; direction: "ascending" | "descending" };

const ranks = { number: 0, string: 1, boolean: 2, other: 3, none: 4 };

/** A sorted copy: numbers before text, missing values always last. */
export function sortRows(rows: readonly Record<string, unknown>[], sort: TableSort | null): Record<string, unknown>[] {
  if (!sort) return [...rows];
  const sign = sort.direction === "ascending" ? 1 : -1;
  return [...rows].sort((one, other) => {
    const [a, b] = [one[sort.column], other[sort.column]];
    const [rankA, rankB] = [rankOf(a), rankOf(b)];
    if (rankA !== rankB) return rankA === ranks.none || rankB === ranks.none ? rankA - rankB : sign * (rankA - rankB);
    return sign * compare(a, b);
  });
}

function rankOf(value: unknown): number {
  if (value === null || value === undefined) return ranks.none;
  if (typeof value === "number") return ranks.number;
  if (typeof value === "string") return ranks.string;
  return typeof value === "boolean" ? ranks.boolean : ranks.other;
}

const texts = new Intl.Collator("en", { numeric: true });

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return texts.compare(a, b);
  return texts.compare(cellText(a), cellText(b));
}

/** A cell as text: strings unchanged, other values as JSON, missing ones empty. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The table as CSV (RFC 4180). An apostrophe before text that spreadsheets would run as a formula prevents injection. */
export function csvOf({ columns, rows }: Pick<TableData, "columns" | "rows">): string {
  const line = (cells: readonly unknown[]) => cells.map(csvCell).join(",");
  return [line(columns), ...rows.map((row) => line(columns.map((column) => row[column])))].join("\r\n").concat("\r\n");
}

function csvCell(value: unknown): string {
  const text = cellText(value);
  const isFormula = typeof value === "string" && /^[=+\-@\t\r]/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
