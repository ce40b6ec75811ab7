import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Worker } from "@/lib/db/generated/client";

/** The worker with this id or name. `unknown_edge` when there is none, or its token was taken away. */
export async function findEdge(ctx: Ctx, idOrName: string): Promise<Worker> {
  const rows = await ctx.db.worker.findMany({
    where: { revokedAt: null, OR: [{ id: idOrName }, { name: idOrName }] },
  });
  const found = rows.find(({ id }) => id === idOrName) ?? rows[0];
  if (found) return found;
  const message = `There is no edge “${idOrName}”; it was revoked, or never added.`;
  throw new AppError("unknown_edge", message, { errors: [{ path: "args.edge_id", message: "names no edge" }] });
}
