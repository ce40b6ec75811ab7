import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireManagedCollection } from "./find-collection";
import { getCollection } from "./get-collection";
import type { Collection, PatchCollectionInput } from "./schema";

/** Changes the title, the description or who sees a collection; for its owner and admins. Its address stays. */
export async function updateCollection(ctx: Ctx, slug: string, input: PatchCollectionInput): Promise<Collection> {
  requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    await tx.collection.update({ where: { id: row.id }, data: { ...input, updatedAt: ctx.now() } });
    const keys = Object.keys(input) as (keyof PatchCollectionInput)[];
    await recordEvent(tx, txCtx, {
      action: "collection.update",
      summary: `changed ${keys.join(", ")} of the collection “${row.title}”`,
      concerns: row.ownerId,
      target: { kind: "collection", id: row.id, name: row.slug },
      data: { before: Object.fromEntries(keys.map((key) => [key, row[key]])), after: input },
    });
    return getCollection(txCtx, row.slug);
  });
}
