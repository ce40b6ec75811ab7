import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "../skill-access";
import { requireManagedCollection } from "./find-collection";
import { getCollection } from "./get-collection";
import { placeSkills } from "./place-skills";
import { type AddToCollectionInput, type Collection, MOST_SKILLS } from "./schema";

/** Adds a skill that the caller sees at the end of a collection, for its owner and admins. Adding twice changes nothing. */
export async function addToCollection(ctx: Ctx, slug: string, input: AddToCollectionInput): Promise<Collection> {
  requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    const skill = await requireSkill(txCtx, input.skill);
    const ids = row.skills.map(({ skillId }) => skillId);
    if (!ids.includes(skill.id)) {
      if (ids.length >= MOST_SKILLS)
        throw new AppError("conflict", `“${row.title}” has ${MOST_SKILLS} skills, which is the limit.`);
      await placeSkills(tx, { id: row.id, skillIds: [...ids, skill.id], now: ctx.now() });
      await recordEvent(tx, txCtx, {
        action: "collection.add",
        summary: `added ${skill.name} to the collection “${row.title}”`,
        concerns: row.ownerId,
        target: { kind: "collection", id: row.id, name: row.slug },
        skillId: skill.id,
        tool: skill.toolName,
      });
    }
    return getCollection(txCtx, row.slug);
  });
}
