import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import type { Sop } from "@/lib/runner/schema";
import { findSop } from "./present-sop";

/** One procedure; also a removed one, since runs may name it. */
export async function getSop(ctx: Ctx, id: string): Promise<Sop> {
  if (!hasScope(ctx.actor, "admin")) requireScope(ctx.actor, "read");
  const sop = await findSop(ctx, id);
  if (sop === null) throw new AppError("not_found", `There is no procedure ${id.slice(0, 64)}.`);
  return sop;
}
