import { z } from "zod";
import { route } from "@/lib/http/route";
import { getCollection } from "@/lib/skills/community/collections";
import { deleteCollection, updateCollection } from "@/lib/skills/community/edit-collections";
import { Collection, PatchCollectionInput } from "@/lib/skills/community/schema";

const params = z.object({ slug: z.string().max(100) });

export const GET = route({
  access: "read",
  summary: "A collection with its skills in order",
  params,
  answer: Collection,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getCollection(ctx, params.slug),
});

export const PATCH = route({
  access: "write",
  summary: "Change the title, description or visibility of a collection",
  params,
  body: PatchCollectionInput,
  answer: Collection,
  ifMatch: ({ ctx, params }) => getCollection(ctx, params.slug),
  handle: ({ ctx, params, body }) => updateCollection(ctx, params.slug, body),
});

export const DELETE = route({
  access: "write",
  summary: "Delete a collection; its skills stay",
  params,
  status: 204,
  handle: ({ ctx, params }) => deleteCollection(ctx, params.slug),
});
