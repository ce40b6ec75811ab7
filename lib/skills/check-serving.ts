import type { Ctx } from "@/lib/db/context";
import { checkStoredApproval, type StoredApproval } from "./check-stored-approval";
import { NO_ORDER, readServingOrders, whyNotServing } from "./serving-order";

type Serving = StoredApproval & { skill: { currentId: string | null }; version: { id: string } };

/**
 * Whether a version serves as it was signed: its approval verifies, the audit knows it as the last one of the version, and
 * when it is the active one of its skill, statements and audit say so too. Null, or what is wrong as the end of a sentence.
 */
export async function checkServing(
  ctx: Pick<Ctx, "database" | "tx">,
  { skill, version }: Serving,
): Promise<string | null> {
  const problem = await checkStoredApproval(ctx, { skill, version });
  if (problem !== null) return problem;
  const order = (await readServingOrders(ctx, [skill.id])).get(skill.id) ?? NO_ORDER;
  return whyNotServing(order, version, skill.currentId === version.id);
}
