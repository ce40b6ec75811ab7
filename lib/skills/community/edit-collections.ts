import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "../skill-access";
import { asciiSlug } from "./ascii-slug";
import { getCollection, requireManagedCollection } from "./collections";
import type { Collection, CreateCollectionInput, OrderCollectionInput, PatchCollectionInput } from "./schema";
import { type AddToCollectionInput, MOST_SKILLS } from "./schema";

/** Collections of one person. */
const MOST_COLLECTIONS = 100;
/** Longest address that a number can still be added to. */
const STEM = 58;

/** Makes an empty collection. Its address stays, so `invalid` names one that is taken; one made of the title gets a number. */
export async function createCollection(ctx: Ctx, input: CreateCollectionInput): Promise<Collection> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.collection.count({ where: { ownerId: actor.userId } })) >= MOST_COLLECTIONS)
      throw new AppError("conflict", `You have ${MOST_COLLECTIONS} collections, which is the limit.`);
    const slug = await freeSlug(tx, input);
    const row = await tx.collection.create({
      data: {
        id: newId(),
        slug,
        title: input.title,
        description: input.description ?? "",
        visibility: input.visibility ?? "private",
        ownerId: actor.userId,
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "collection.create",
      summary: `made the ${row.visibility} collection “${row.title}”`,
      target: { kind: "collection", id: row.id, name: row.slug },
    });
    return getCollection(txCtx, slug);
  });
}

async function freeSlug(tx: Tx, { slug, title }: CreateCollectionInput): Promise<string> {
  const isFree = async (wanted: string) =>
    (await tx.collection.findUnique({ where: { slug: wanted }, select: { id: true } })) === null;
  if (slug !== undefined) {
    if (await isFree(slug)) return slug;
    const message = `There is a collection “${slug}” already.`;
    throw new AppError("invalid", message, { errors: [{ path: "slug", message }] });
  }
  const stem = asciiSlug(title, STEM) || "collection";
  let wanted = stem;
  for (let number = 2; !(await isFree(wanted)); number += 1) wanted = `${stem}-${number}`;
  return wanted;
}

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

type Placing = { id: string; skillIds: string[]; now: Date };

/** Makes these the skills of a collection, in this order, in the caller’s transaction. */
export async function placeSkills(tx: Tx, { id, skillIds, now }: Placing): Promise<void> {
  await tx.collectionSkill.deleteMany({ where: { collectionId: id } });
  await tx.collectionSkill.createMany({
    data: skillIds.map((skillId, position) => ({ collectionId: id, skillId, position })),
  });
  await tx.collection.update({ where: { id }, data: { updatedAt: now } });
}

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
