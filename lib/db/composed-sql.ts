import type { Ctx } from "./context";
import { Prisma } from "./generated/client";
import { jsonList, query, type SpecialOf, type SqlValue, sqlOf } from "./sql";

/**
 * Runs a statement that was composed with `Prisma.sql`, prepared like those of `query()`. For filters: the texts that can be
 * composed must be few, because each stays prepared. Pass lists with `listOf`.
 */
export function readComposed<Row = never>(
  ctx: Pick<Ctx, "database" | "tx">,
  { sql, values }: Prisma.Sql,
  ...special: SpecialOf<Row>
): Promise<Row[]> {
  return sqlOf(ctx).all(query<Row>(sql, ...special), ...(values as SqlValue[]));
}

/** A list of texts of any length, for `IN`. */
export function listOf(ctx: Pick<Ctx, "database">, values: readonly string[]): Prisma.Sql {
  return Prisma.sql(jsonList(ctx.database.dialect).split("?"), JSON.stringify(values));
}
