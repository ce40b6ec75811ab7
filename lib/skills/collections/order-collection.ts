import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireManagedCollection } from "./find-collection";
import { getCollection } from "./get-collection";
import { placeSkills } from "./place-skills";
import type { Collection, OrderCollectionInput } from "./schema";

/**
 * Puts the skills of a collection in another order. All that the caller sees in it have to be named, and nothing else
 * (`conflict`: somebody changed it meanwhile); what the caller does not see stays, at the end.
 */
export async function orderCollection(ctx: Ctx, slug: string, input: OrderCollectionInput): Promise<Collection> {
  requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    const seen = (await getCollection(txCtx, slug)).skills.map(({ id }) => id);
    if ([...input.skills].sort().join() !== [...seen].sort().join()) {
      throw new AppError(
        "conflict",
        "These are not the skills of the collection; read it again and repeat your change.",
      );
    }
    const unseen = row.skills.map(({ skillId }) => skillId).filter((id) => !seen.includes(id));
    await placeSkills(tx, { id: row.id, skillIds: [...input.skills, ...unseen], now: ctx.now() });
    await recordEvent(tx, txCtx, {
      action: "collection.order",
      summary: `put the collection “${row.title}” in another order`,
      concerns: row.ownerId,
      target: { kind: "collection", id: row.id, name: row.slug },
      data: { skills: input.skills },
    });
    return getCollection(txCtx, row.slug);
  });
}
