import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { presentSources } from "./present-source";
import { requireSource } from "./require-source";
import type { CatalogSource } from "./schema";

/** One source, with the progress of its sync. */
export async function getSource(ctx: Ctx, id: string): Promise<CatalogSource> {
  requireScope(ctx.actor, "admin");
  const [source] = await presentSources(ctx, [await requireSource(ctx, id)]);
  if (!source) throw new Error("presenting one row gave none");
  return source;
}
