import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { asciiSlug } from "../ascii-slug";
import { getCollection } from "./get-collection";
import type { Collection, CreateCollectionInput } from "./schema";

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
