import { type AuditEntry, recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "../skill-access";
import { type CollectionRow, getCollection, requireManagedCollection } from "./collections";
import { asciiSlug } from "./publishers";
import {
  type AddToCollectionInput,
  type Collection,
  type CreateCollectionInput,
  MAX_SKILLS,
  type OrderCollectionInput,
  type PatchCollectionInput,
} from "./schema";

const MAX_COLLECTIONS = 100;
const STEM = 58;

/** Creates an empty collection. `invalid` when the given slug is taken; one from the title gets a number. */
export async function createCollection(ctx: Ctx, input: CreateCollectionInput): Promise<Collection> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.collection.count({ where: { ownerId: actor.userId } })) >= MAX_COLLECTIONS)
      throw new AppError("conflict", `You have reached the limit of ${MAX_COLLECTIONS} collections. Delete one first.`);
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

/** Changes the title, description or visibility; for the owner and admins. */
export function updateCollection(ctx: Ctx, slug: string, input: PatchCollectionInput): Promise<Collection> {
  return change(ctx, slug, async (tx, _ctx, row) => {
    await tx.collection.update({ where: { id: row.id }, data: { ...input, updatedAt: ctx.now() } });
    const keys = Object.keys(input) as (keyof PatchCollectionInput)[];
    return {
      action: "collection.update",
      summary: `changed ${keys.join(", ")} of the collection “${row.title}”`,
      data: { before: Object.fromEntries(keys.map((key) => [key, row[key]])), after: input },
    };
  });
}

/** Appends a visible skill to a collection; for the owner and admins. Adding it twice has no effect. */
export function addToCollection(ctx: Ctx, slug: string, input: AddToCollectionInput): Promise<Collection> {
  return change(ctx, slug, async (tx, txCtx, row) => {
    const skill = await requireSkill(txCtx, input.skill);
    const ids = row.skills.map(({ skillId }) => skillId);
    if (ids.includes(skill.id)) return null;
    if (ids.length >= MAX_SKILLS)
      throw new AppError("conflict", `“${row.title}” has reached the limit of ${MAX_SKILLS} skills. Remove one first.`);
    await placeSkills(tx, { id: row.id, skillIds: [...ids, skill.id], now: ctx.now() });
    const summary = `added ${skill.name} to the collection “${row.title}”`;
    return { action: "collection.add", summary, skillId: skill.id, tool: skill.toolName };
  });
}

/** Removes a skill, by id, from a collection, if it contains it; for the owner and admins. */
export function removeFromCollection(ctx: Ctx, slug: string, skillId: string): Promise<Collection> {
  return change(ctx, slug, async (tx, _ctx, row) => {
    const kept = row.skills.map((item) => item.skillId).filter((id) => id !== skillId);
    if (kept.length === row.skills.length) return null;
    await placeSkills(tx, { id: row.id, skillIds: kept, now: ctx.now() });
    return { action: "collection.remove", summary: `removed a skill from the collection “${row.title}”`, skillId };
  });
}

/** Reorders a collection; `conflict` unless the caller names exactly the skills that they see. */
export function orderCollection(ctx: Ctx, slug: string, { skills }: OrderCollectionInput): Promise<Collection> {
  return change(ctx, slug, async (tx, txCtx, row) => {
    const seen = (await getCollection(txCtx, slug)).skills.map(({ id }) => id);
    if ([...skills].sort().join() !== [...seen].sort().join()) {
      throw new AppError("conflict", "The collection has other skills now. Reload it and repeat your change.");
    }
    const unseen = row.skills.map(({ skillId }) => skillId).filter((id) => !seen.includes(id));
    await placeSkills(tx, { id: row.id, skillIds: [...skills, ...unseen], now: ctx.now() });
    const summary = `reordered the skills of the collection “${row.title}”`;
    return { action: "collection.order", summary, data: { skills } };
  });
}

/** Deletes a collection, but none of its skills; for the owner and admins. */
export async function deleteCollection(ctx: Ctx, slug: string): Promise<void> {
  requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    await tx.collection.delete({ where: { id: row.id } });
    await recordEvent(tx, txCtx, {
      action: "collection.delete",
      summary: `deleted the collection “${row.title}”`,
      ...aboutCollection(row),
      data: { skills: row.skills.map(({ skillId }) => skillId) },
    });
  });
}

/** Applies a change and returns its audit event; null when nothing changed. */
type Change = (tx: Tx, ctx: Ctx, row: CollectionRow) => Promise<AuditEntry | null>;

/** Applies a change and records its event in one transaction, for the owner and admins; returns the new collection. */
async function change(ctx: Ctx, slug: string, make: Change): Promise<Collection> {
  requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireManagedCollection(txCtx, slug);
    const event = await make(tx, txCtx, row);
    if (event !== null) await recordEvent(tx, txCtx, { ...event, ...aboutCollection(row) });
    return getCollection(txCtx, row.slug);
  });
}

function aboutCollection(row: CollectionRow): Pick<AuditEntry, "concerns" | "target"> {
  return { concerns: row.ownerId, target: { kind: "collection", id: row.id, name: row.slug } };
}

async function placeSkills(
  tx: Tx,
  { id, skillIds, now }: { id: string; skillIds: string[]; now: Date },
): Promise<void> {
  await tx.collectionSkill.deleteMany({ where: { collectionId: id } });
  await tx.collectionSkill.createMany({
    data: skillIds.map((skillId, position) => ({ collectionId: id, skillId, position })),
  });
  await tx.collection.update({ where: { id }, data: { updatedAt: now } });
}
