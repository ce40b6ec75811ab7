import { listCatalog } from "@/lib/catalog/browse/list-catalog";
import { CatalogPage, ListCatalogQuery } from "@/lib/catalog/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Search and filter what the catalog offers, with counts for each facet",
  query: ListCatalogQuery,
  answer: CatalogPage,
  handle: ({ ctx, query }) => listCatalog(ctx, query),
});
