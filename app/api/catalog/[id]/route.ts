import { z } from "zod";
import { getEntry } from "@/lib/catalog/browse/get-entry";
import { CatalogDetail } from "@/lib/catalog/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One entry of the catalog with its playbook, files, diagnostics and provenance",
  params: z.object({ id: z.string() }),
  answer: CatalogDetail,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getEntry(ctx, params.id),
});
