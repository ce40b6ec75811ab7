import { createSource } from "@/lib/catalog/sources/create-source";
import { CatalogSource, CatalogSourcePage, CreateSourceInput } from "@/lib/catalog/sources/schema";
import { listSources } from "@/lib/catalog/sources/sources";
import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "List catalog sources with the state of their sync",
  query: PageQuery,
  answer: CatalogSourcePage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSources(ctx, query),
});

export const POST = route({
  access: "admin",
  summary: "Add a catalog source; its first sync reads the repository",
  body: CreateSourceInput,
  answer: CatalogSource,
  status: 201,
  handle: ({ ctx, body }) => createSource(ctx, body),
});
