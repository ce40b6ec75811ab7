import { z } from "zod";
import { route } from "@/lib/http/route";
import { addToCollection } from "@/lib/skills/collections/add-to-collection";
import { getCollection } from "@/lib/skills/collections/get-collection";
import { orderCollection } from "@/lib/skills/collections/order-collection";
import { AddToCollectionInput, Collection, OrderCollectionInput } from "@/lib/skills/collections/schema";

const params = z.object({ slug: z.string().max(100) });

export const POST = route({
  access: "write",
  summary: "Add a skill at the end of a collection",
  params,
  body: AddToCollectionInput,
  answer: Collection,
  handle: ({ ctx, params, body }) => addToCollection(ctx, params.slug, body),
});

export const PUT = route({
  access: "write",
  summary: "Put the skills of a collection in another order",
  params,
  body: OrderCollectionInput,
  answer: Collection,
  ifMatch: ({ ctx, params }) => getCollection(ctx, params.slug),
  handle: ({ ctx, params, body }) => orderCollection(ctx, params.slug, body),
});
