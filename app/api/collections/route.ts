import { route } from "@/lib/http/route";
import { createCollection } from "@/lib/skills/collections/create-collection";
import { listCollections } from "@/lib/skills/collections/list-collections";
import {
  Collection,
  CollectionPage,
  CreateCollectionInput,
  ListCollectionsQuery,
} from "@/lib/skills/collections/schema";

export const GET = route({
  access: "read",
  summary: "Collections of skills that the caller sees, by address",
  query: ListCollectionsQuery,
  answer: CollectionPage,
  handle: ({ ctx, query }) => listCollections(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Make a collection of skills",
  body: CreateCollectionInput,
  answer: Collection,
  status: 201,
  handle: ({ ctx, body }) => createCollection(ctx, body),
});
