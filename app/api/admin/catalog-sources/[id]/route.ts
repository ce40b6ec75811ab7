import { CatalogSource, SourceParams, UpdateSourceInput } from "@/lib/catalog/sources/schema";
import { deleteSource, getSource } from "@/lib/catalog/sources/sources";
import { updateSource } from "@/lib/catalog/sources/update-source";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "admin",
  summary: "One catalog source with the progress of its sync",
  params: SourceParams,
  answer: CatalogSource,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getSource(ctx, params.id),
});

export const PUT = route({
  access: "admin",
  summary: "Change a catalog source",
  params: SourceParams,
  body: UpdateSourceInput,
  answer: CatalogSource,
  ifMatch: ({ ctx, params }) => getSource(ctx, params.id),
  handle: ({ ctx, params, body }) => updateSource(ctx, { ...body, id: params.id }),
});

export const DELETE = route({
  access: "admin",
  summary: "Remove a catalog source; installed skills stay",
  params: SourceParams,
  status: 204,
  handle: ({ ctx, params }) => deleteSource(ctx, params.id),
});
