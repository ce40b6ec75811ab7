import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireManagedCollection } from "./find-collection";
import { getCollection } from "./get-collection";
import { placeSkills } from "./place-skills";
import type { Collection } from "./schema";

/** Takes a skill, by id, out of a collection, for its owner and admins; one that is not in it changes nothing. */
export async function removeFromCollection(ctx: Ctx, slug: string, skillId: string): Promise<Collection> {
  requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    const kept = row.skills.map((item) => item.skillId).filter((id) => id !== skillId);
    if (kept.length < row.skills.length) {
      await placeSkills(tx, { id: row.id, skillIds: kept, now: ctx.now() });
      await recordEvent(tx, txCtx, {
        action: "collection.remove",
        summary: `took a skill out of the collection “${row.title}”`,
        concerns: row.ownerId,
        target: { kind: "collection", id: row.id, name: row.slug },
        skillId,
      });
    }
    return getCollection(txCtx, row.slug);
  });
}
