import { route } from "@/lib/http/route";
import { listCollections } from "@/lib/skills/community/collections";
import { createCollection } from "@/lib/skills/community/edit-collections";
import { Collection, CollectionPage, CreateCollectionInput, ListCollectionsQuery } from "@/lib/skills/community/schema";

export const GET = route({
  access: "read",
  summary: "List the collections that you may see, by slug",
  query: ListCollectionsQuery,
  answer: CollectionPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listCollections(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Create a collection",
  body: CreateCollectionInput,
  answer: Collection,
  status: 201,
  handle: ({ ctx, body }) => createCollection(ctx, body),
});
