import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireManagedCollection } from "./find-collection";

/** Removes a collection, and none of its skills; for its owner and admins. */
export async function deleteCollection(ctx: Ctx, slug: string): Promise<void> {
  requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    await tx.collection.delete({ where: { id: row.id } });
    await recordEvent(tx, txCtx, {
      action: "collection.delete",
      summary: `deleted the collection “${row.title}”`,
      concerns: row.ownerId,
      target: { kind: "collection", id: row.id, name: row.slug },
      data: { skills: row.skills.map(({ skillId }) => skillId) },
    });
  });
}
