import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import type { Grants } from "@/lib/policy/grants/schema";
import { ALLOWS_NOTHING, type WorkerAllowance } from "@/lib/policy/worker-allowance";

const OFFERS = query<{ offers: string }>(`SELECT "offers" FROM "Worker" WHERE "id" = ?`);

/**
 * What a worker's operator allows when it is handed a run with these grants, for the audit: `npm run verify-approval --
 * --runs` compares the two later. Undefined, and nothing is read, for grants that need no operator.
 */
export async function allowanceAtLease(
  ctx: Ctx,
  workerId: string,
  { network, paths, namespaces, capabilities, env }: Grants,
): Promise<WorkerAllowance | undefined> {
  const lists = [paths, namespaces, capabilities, env, Array.isArray(network) ? network : []];
  if (network !== true && !lists.some((list) => list !== undefined && list.length > 0)) return undefined;
  const worker = await sqlOf(ctx).get(OFFERS, workerId);
  return worker === undefined ? undefined : (keepParsed(WorkerOffers, worker.offers).allows ?? ALLOWS_NOTHING);
}
