import { CatalogSource, ConfirmRepositoryInput, SourceParams } from "@/lib/catalog/sources/schema";
import { confirmRepository } from "@/lib/catalog/sources/update-source";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "admin",
  summary: "Accept a renamed or replaced repository by its numeric id",
  params: SourceParams,
  body: ConfirmRepositoryInput,
  answer: CatalogSource,
  handle: ({ ctx, params, body }) => confirmRepository(ctx, { ...body, id: params.id }),
});
