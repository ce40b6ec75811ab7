import { listCatalog } from "@/lib/catalog/browse/list-catalog";
import { CatalogPage, ListCatalogQuery } from "@/lib/catalog/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Search and filter the catalog, with counts per facet",
  query: ListCatalogQuery,
  answer: CatalogPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listCatalog(ctx, query),
});
