export type SqlValue = string | number | boolean | null | Date;

/** Of each column that is a moment or a yes/no, which of the two: databases store them in their own ways. */
type Special<Row> = {
  [K in keyof Row as NonNullable<Row[K]> extends Date | boolean ? K : never]-?: NonNullable<Row[K]> extends Date
    ? "date"
    : "flag";
};

export type Dialect = "sqlite" | "postgresql";

/** A statement of plain SQL with `?` for its values, prepared once for each connection. */
export type Query<Row> = {
  readonly text: Readonly<Record<Dialect, string>>;
  readonly special: [column: string, kind: string][];
  readonly row?: Row;
};

/**
 * Declares a statement. Names stand in double quotes, and one text may use nothing that only one database knows; what
 * cannot be said so has a text for each. The compiler asks for every column of `Row` that is a date or a boolean.
 */
export function query<Row = never>(
  text: string | Record<Dialect, string>,
  ...special: [Row] extends [never] ? [] : keyof Special<Row> extends never ? [] : [Special<Row>]
): Query<Row> {
  return {
    text: typeof text === "string" ? { sqlite: text, postgresql: text } : text,
    special: Object.entries(special[0] ?? {}).map(([column, kind]) => [column, String(kind)]),
  };
}

/** What follows the table in an `INSERT` that gives these columns: `("a", "b") VALUES (?, ?)`. */
export function valuesOf(columns: readonly string[]): string {
  return `(${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** Plain SQL for what runs many times a second. Rows come as Prisma gives them: dates, booleans and numbers. */
export type Sql = {
  readonly dialect: Dialect;
  get<Row>(query: Query<Row>, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(query: Query<Row>, ...values: SqlValue[]): Promise<Row[]>;
  /** Answers how many rows it changed. Only inside a transaction. */
  run(query: Query<never>, ...values: SqlValue[]): Promise<number>;
};

/** The transaction's own connection when there is one, else the reading one. */
export function sqlOf(ctx: { database: { readSql: Sql; writeSql: Sql }; tx?: unknown }): Sql {
  return ctx.tx ? ctx.database.writeSql : ctx.database.readSql;
}

/** The texts, or numbers, of a JSON list that is given as one value, as rows with the column `value`. */
export function jsonList(dialect: Dialect, type: "text" | "number" = "text"): string {
  if (dialect === "sqlite") return `(SELECT "value" FROM json_each(?))`;
  return `(SELECT v${type === "number" ? "::int" : ""} AS "value" FROM json_array_elements_text(CAST(? AS json)) v)`;
}
