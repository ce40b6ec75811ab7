import { recordEvent } from "@/lib/audit/record-event";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import { requireScope } from "@/lib/policy/require-scope";

const KEY = "eligibility";
const POLICY = query<{ value: string }>(`SELECT "value" FROM "Setting" WHERE "key" = ?`);

/** The admins' overrides and the settings that skills may require, without an access check. */
export async function readEligibilityPolicy(ctx: Ctx): Promise<EligibilityPolicy> {
  const row = await sqlOf(ctx).get(POLICY, KEY);
  return keepParsed(EligibilityPolicy, row?.value ?? "{}");
}

/** The eligibility policy, for admins. */
export async function getEligibilityPolicy(ctx: Ctx): Promise<EligibilityPolicy> {
  requireScope(ctx.actor, "admin");
  return readEligibilityPolicy(ctx);
}

/** Replaces the whole policy, from the next request on. */
export async function setEligibilityPolicy(ctx: Ctx, policy: EligibilityPolicy): Promise<EligibilityPolicy> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await readEligibilityPolicy(txCtx);
    const data = { value: JSON.stringify(policy), updatedAt: ctx.now(), updatedBy: actor.userId };
    await tx.setting.upsert({ where: { key: KEY }, create: { key: KEY, ...data }, update: data });
    await recordEvent(tx, txCtx, {
      action: "eligibility.update",
      summary: "changed which skills are eligible",
      target: { kind: "settings", id: KEY, name: "Eligibility" },
      // Values may name other systems, so only the keys are recorded.
      data: { before: before.entries, after: policy.entries, config: Object.keys(policy.config) },
    });
    return policy;
  });
}
