import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { findProgress } from "./progress";
import type { InstallProgress } from "./schema";

/** How far an install of the caller is; `not_found` before it began and a while after it ended. */
export async function getInstallProgress(ctx: Ctx, id: string): Promise<InstallProgress> {
  const actor = requireScope(ctx.actor, "write");
  const progress = findProgress(actor.userId, id);
  if (progress === null) throw new AppError("not_found", `There is no install ${id.slice(0, 100)} of yours under way.`);
  return progress;
}
