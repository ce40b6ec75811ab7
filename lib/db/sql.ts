import { Prisma } from "./generated/client";

export type SqlValue = string | number | boolean | null | Date;

/** Kind of each date and boolean column, which databases store differently. */
type Special<Row> = {
  [K in keyof Row as NonNullable<Row[K]> extends Date | boolean ? K : never]-?: NonNullable<Row[K]> extends Date
    ? "date"
    : "flag";
};

/** The last argument of `query()`: none for a row without dates and booleans. */
type SpecialOf<Row> = [Row] extends [never] ? [] : keyof Special<Row> extends never ? [] : [Special<Row>];

export type Dialect = "sqlite" | "postgresql";

/** An SQL statement with `?` for its values, prepared once per connection. */
export type Query<Row> = {
  readonly text: Readonly<Record<Dialect, string>>;
  readonly special: [column: string, kind: string][];
  readonly row?: Row;
};

/**
 * Declares a statement. Quote names. One text must be valid in both databases; otherwise give one for each. The
 * compiler requires every date and boolean column of `Row` in `special`.
 */
export function query<Row = never>(text: string | Record<Dialect, string>, ...special: SpecialOf<Row>): Query<Row> {
  return {
    text: typeof text === "string" ? { sqlite: text, postgresql: text } : text,
    special: Object.entries(special[0] ?? {}).map(([column, kind]) => [column, String(kind)]),
  };
}

/** The part of an `INSERT` after the table: `("a", "b") VALUES (?, ?)`. */
export function valuesOf(columns: readonly string[]): string {
  return `(${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** Plain SQL for hot paths. Rows have dates, booleans and numbers as with Prisma. */
export type Sql = {
  readonly dialect: Dialect;
  get<Row>(query: Query<Row>, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(query: Query<Row>, ...values: SqlValue[]): Promise<Row[]>;
  /** Returns the number of changed rows. Only inside a transaction. */
  run(query: Query<never>, ...values: SqlValue[]): Promise<number>;
};

/** Connection of the transaction if there is one, else the reading connection. */
export function sqlOf(ctx: { database: { readSql: Sql; writeSql: Sql }; tx?: unknown }): Sql {
  return ctx.tx ? ctx.database.writeSql : ctx.database.readSql;
}

/** Rows with the column `value` of a JSON list that is passed as one value. */
export function jsonList(dialect: Dialect, type: "text" | "number" = "text"): string {
  if (dialect === "sqlite") return `(SELECT "value" FROM json_each(?))`;
  return `(SELECT v${type === "number" ? "::int" : ""} AS "value" FROM json_array_elements_text(CAST(? AS json)) v)`;
}

/**
 * Runs a statement that was composed with `Prisma.sql`, prepared like those of `query()`. For filters: the texts that can be
 * composed must be few, because each stays prepared. Pass lists with `listOf`.
 */
export function readComposed<Row = never>(
  ctx: Parameters<typeof sqlOf>[0],
  { sql, values }: Prisma.Sql,
  ...special: SpecialOf<Row>
): Promise<Row[]> {
  return sqlOf(ctx).all(query<Row>(sql, ...special), ...(values as SqlValue[]));
}

/** A list of texts of any length, for `IN`. */
export function listOf(ctx: { database: { dialect: Dialect } }, values: readonly string[]): Prisma.Sql {
  return Prisma.sql(jsonList(ctx.database.dialect).split("?"), JSON.stringify(values));
}
