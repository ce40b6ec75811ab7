import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { WorkerAllowanceList } from "./schema";
import { allowingWorkers } from "./worker-allowances";

/** What the operator of each worker allows runs, for those who decide on grants: it names folders of hosts. */
export async function listAllowances(ctx: Ctx): Promise<WorkerAllowanceList> {
  requireScope(ctx.actor, "review");
  const workers = await allowingWorkers(ctx);
  return {
    items: workers.map(({ id, name, manager, isOnline, saysAllows, allows }) => ({
      ...{ id, name, manager, online: isOnline, saysAllows, allows },
    })),
    nextCursor: null,
  };
}
