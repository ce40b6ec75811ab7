import type { Ctx } from "@/lib/db/context";
import { checkStoredApproval, type StoredApproval } from "./check-stored-approval";
import { readServingOrders, whyNotActive } from "./serving-order";

type Serving = StoredApproval & { skill: { currentId: string | null }; version: { id: string } };

/**
 * Whether a version serves as it was signed: its approval verifies, and when it is the active one of its skill, the signed
 * statements say so too. Null, or what is wrong as the end of a sentence.
 */
export async function checkServing(
  ctx: Pick<Ctx, "database" | "tx">,
  { skill, version }: Serving,
): Promise<string | null> {
  const problem = await checkStoredApproval(ctx, { skill, version });
  if (problem !== null || skill.currentId !== version.id) return problem;
  return whyNotActive((await readServingOrders(ctx, [skill.id])).get(skill.id) ?? [], version.id);
}
