import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { CatalogSource as Row } from "@/lib/db/generated/client";

/** The source with this id, or `not_found`. */
export async function requireSource(ctx: Ctx, id: string): Promise<Row> {
  const row = await ctx.db.catalogSource.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no catalog source ${id}.`);
  return row;
}
