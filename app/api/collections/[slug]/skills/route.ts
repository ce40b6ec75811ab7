import { z } from "zod";
import { route } from "@/lib/http/route";
import { getCollection } from "@/lib/skills/community/collections";
import { addToCollection, orderCollection } from "@/lib/skills/community/edit-collections";
import { AddToCollectionInput, Collection, OrderCollectionInput } from "@/lib/skills/community/schema";

const params = z.object({ slug: z.string().max(100) });

export const POST = route({
  access: "write",
  summary: "Append a skill to a collection",
  params,
  body: AddToCollectionInput,
  answer: Collection,
  handle: ({ ctx, params, body }) => addToCollection(ctx, params.slug, body),
});

export const PUT = route({
  access: "write",
  summary: "Reorder the skills of a collection",
  params,
  body: OrderCollectionInput,
  answer: Collection,
  ifMatch: ({ ctx, params }) => getCollection(ctx, params.slug),
  handle: ({ ctx, params, body }) => orderCollection(ctx, params.slug, body),
});
