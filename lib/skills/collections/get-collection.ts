import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireCollection } from "./find-collection";
import { presentCollections } from "./present-collections";
import type { Collection } from "./schema";

/** One collection with its skills in order; `not_found` also when it is somebody else’s and private. */
export async function getCollection(ctx: Ctx, slug: string): Promise<Collection> {
  requireScope(ctx.actor, "read");
  const [collection] = await presentCollections(ctx, [await requireCollection(ctx, slug)]);
  if (!collection) throw new Error("presenting one row gave none");
  return collection;
}
