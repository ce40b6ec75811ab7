import { z } from "zod";
import { route } from "@/lib/http/route";
import { deleteEndpoint, getEndpoint, updateEndpoint } from "@/lib/settings/models/endpoints";
import { ModelEndpoint, PatchModelEndpointInput } from "@/lib/settings/models/schema";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "admin",
  summary: "One model endpoint",
  params,
  answer: ModelEndpoint,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getEndpoint(ctx, params.id),
});

export const PATCH = route({
  access: "admin",
  summary: "Change a model endpoint",
  params,
  body: PatchModelEndpointInput,
  answer: ModelEndpoint,
  ifMatch: ({ ctx, params }) => getEndpoint(ctx, params.id),
  handle: ({ ctx, params, body }) => updateEndpoint(ctx, params.id, body),
});

export const DELETE = route({
  access: "admin",
  summary: "Remove a model endpoint; conversations with its models stay readable",
  params,
  status: 204,
  handle: ({ ctx, params }) => deleteEndpoint(ctx, params.id),
});
