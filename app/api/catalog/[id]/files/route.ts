import { z } from "zod";
import { getEntryFile } from "@/lib/catalog/browse/get-entry";
import { CatalogFileContent, CatalogFileQuery } from "@/lib/catalog/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Text of a file of an entry, at the commit that the catalog shows",
  params: z.object({ id: z.string() }),
  query: CatalogFileQuery,
  answer: CatalogFileContent,
  handle: ({ ctx, params, query }) => getEntryFile(ctx, params.id, query.path),
});
