import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { startRun } from "../runs/start-run";
import type { Run, RunGroup, StartRunInput } from "../schema";
import { findEdge } from "./find-edge";

/**
 * The same run on several edges, in one step: all are accepted or none. Errors as `startRun` has them; `invalid` for a dry
 * run, or when an edge is named besides the list.
 */
export async function startGroup(ctx: Ctx, idOrName: string, input: StartRunInput): Promise<RunGroup> {
  const { edges = [], ...each } = input;
  if (each.dryRun) throw new AppError("invalid", "A dry run is of one edge: leave edges out.");
  const groupId = newId();
  const runs = await inTransaction(ctx, async (tx, txCtx) => {
    const started: Run[] = [];
    const seen = new Set<string>();
    for (const edge of edges) {
      const { id } = await findEdge(txCtx, edge);
      if (seen.has(id)) continue;
      seen.add(id);
      const answer = await startRun(txCtx, idOrName, { ...each, workerId: id });
      if ("dryRun" in answer) throw new Error("asked for a run, and got a dry one");
      await tx.run.update({ where: { id: answer.run.id }, data: { groupId } });
      started.push({ ...answer.run, groupId });
    }
    return started;
  });
  // Whoever was woken before the commit saw nothing yet.
  wake("work");
  return { groupId, runs };
}
