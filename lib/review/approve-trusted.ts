import type { Ctx } from "@/lib/db/context";
import { approveInName } from "./approve-in-name";
import { trustedDigests } from "./trusted-digests";

const OPERATOR = { userId: "operator", name: "operator" } as const;

/**
 * Approves, in the operator's name, a waiting version of a worker's skill whose digest stands in the operator's file of
 * trusted digests: class and grants as its files declare. Answers whether it did.
 */
export async function approveTrusted(ctx: Ctx, skillId: string, digest: string): Promise<boolean> {
  if (!(await trustedDigests()).has(digest)) return false;
  const comment = "Its digest stands in the operator’s file of trusted digests.";
  return approveInName(ctx, { skillId, digest, signer: OPERATOR, comment });
}

/** The same for every version of a worker's skill that waits. Answers how many it approved. */
export async function approveAllTrusted(ctx: Ctx): Promise<number> {
  const digests = await trustedDigests();
  if (digests.size === 0) return 0;
  const waiting = await ctx.db.version.findMany({
    where: { state: "pending", skill: { source: "worker", deletedAt: null } },
    select: { skillId: true, digest: true },
  });
  let approved = 0;
  for (const { skillId, digest } of waiting) {
    if (digests.has(digest) && (await approveTrusted(ctx, skillId, digest))) approved += 1;
  }
  return approved;
}
