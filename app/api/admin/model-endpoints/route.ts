import { route } from "@/lib/http/route";
import { createEndpoint, listEndpoints } from "@/lib/settings/models/endpoints";
import { CreateModelEndpointInput, ModelEndpoint, ModelEndpointList } from "@/lib/settings/models/schema";

export const GET = route({
  access: "admin",
  summary: "List model endpoints for the playground",
  answer: ModelEndpointList,
  answersFrom: "rows",
  handle: ({ ctx }) => listEndpoints(ctx),
});

export const POST = route({
  access: "admin",
  summary: "Add a model endpoint",
  body: CreateModelEndpointInput,
  answer: ModelEndpoint,
  status: 201,
  handle: ({ ctx, body }) => createEndpoint(ctx, body),
});
