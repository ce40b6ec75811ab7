import { listPacks } from "@/lib/catalog/browse/list-packs";
import { CatalogPackPage } from "@/lib/catalog/schema";
import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List packs: entries that are installed together",
  query: PageQuery,
  answer: CatalogPackPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listPacks(ctx, query),
});
