import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { ForeignInstance as InstanceRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { countTrusted, returnApprovalsOf } from "./count-trusted";
import type { ForeignInstance, ForeignInstanceList, TrustInstanceInput } from "./schema";
import { signerOfInstance } from "./stored-review";

/** The instances whose bundles were imported here, newest first. For admins. */
export async function listForeignInstances(ctx: Ctx): Promise<ForeignInstanceList> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.foreignInstance.findMany({ orderBy: [{ firstSeenAt: "desc" }, { keyId: "asc" }] });
  const items: ForeignInstance[] = [];
  for (const row of rows) items.push(await present(ctx, row));
  return { items, nextCursor: null };
}

/**
 * Trusts the key of an instance, or withdraws that trust. Trust lets its approvals count where `countTrusted` allows it;
 * withdrawing returns the versions that it approved to review, in the same transaction. For admins.
 */
export async function trustInstance(
  ctx: Ctx,
  keyId: string,
  { trusted }: TrustInstanceInput,
): Promise<ForeignInstance> {
  const actor = requireScope(ctx.actor, "admin");
  await requireInstance(ctx, keyId);
  await inTransaction(ctx, async (tx, txCtx) => {
    const instance = await requireInstance(txCtx, keyId);
    if ((instance.trustedAt !== null) === trusted) return;
    const set = { trustedAt: txCtx.now(), trustedById: actor.userId, trustedByName: actor.name };
    const cleared = { trustedAt: null, trustedById: null, trustedByName: null };
    await tx.foreignInstance.update({ where: { keyId }, data: trusted ? set : cleared });
    await recordEvent(tx, txCtx, {
      action: trusted ? "instance.trust" : "instance.distrust",
      summary: `${trusted ? "trusted" : "withdrew the trust in"} the approvals of ${instance.name}, key ${keyId.slice(0, 12)}`,
      target: { kind: "instance", id: keyId, name: instance.name },
      data: { keyId, name: instance.name },
    });
    if (trusted) return;
    const reason = `“${instance.name}” approved it, which is no longer trusted. A reviewer must approve it.`;
    await returnApprovalsOf(tx, txCtx, keyId, { isReturned: () => true, reason });
  });
  if (trusted) await countTrusted(ctx, keyId);
  return present(ctx, await requireInstance(ctx, keyId));
}

async function requireInstance(ctx: Ctx, keyId: string): Promise<InstanceRow> {
  const found = await ctx.db.foreignInstance.findUnique({ where: { keyId: keyId.toLowerCase() } });
  if (found === null)
    throw new AppError("not_found", "No bundle of an instance with this key was imported. Import one first.");
  return found;
}

async function present(ctx: Ctx, row: InstanceRow): Promise<ForeignInstance> {
  const { keyId, name, publicKey, trustedAt, trustedById, trustedByName } = row;
  const counting = { standing: "counts", actorId: signerOfInstance(keyId) };
  return {
    ...{ keyId, name, publicKey, firstSeenAt: row.firstSeenAt.toISOString(), lastExportAt: row.namedAt.toISOString() },
    versions: await ctx.db.foreignReview.count({ where: { keyId } }),
    counting: await ctx.db.decision.count({ where: counting }),
    trusted:
      trustedAt === null
        ? null
        : { by: { id: trustedById ?? "", name: trustedByName ?? "" }, at: trustedAt.toISOString() },
  };
}
