import type { Tx } from "@/lib/db/context";

type Placing = { id: string; skillIds: string[]; now: Date };

/** Makes these the skills of a collection, in this order, in the caller’s transaction. */
export async function placeSkills(tx: Tx, { id, skillIds, now }: Placing): Promise<void> {
  await tx.collectionSkill.deleteMany({ where: { collectionId: id } });
  await tx.collectionSkill.createMany({
    data: skillIds.map((skillId, position) => ({ collectionId: id, skillId, position })),
  });
  await tx.collection.update({ where: { id }, data: { updatedAt: now } });
}
