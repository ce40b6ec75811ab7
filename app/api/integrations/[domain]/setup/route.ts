import { z } from "zod";
import { route } from "@/lib/http/route";
import { removeIntegration, setUpIntegration } from "@/lib/skills/transfer/integrations";
import { Integration, IntegrationScope, SetUpIntegrationInput } from "@/lib/skills/transfer/schema";

const params = z.object({ domain: z.string() });

export const POST = route({
  access: "write",
  summary: "Set up an integration: each of its skills gets a pending version; admins can do so for the organisation",
  params,
  body: SetUpIntegrationInput,
  answer: Integration,
  status: 201,
  handle: ({ ctx, params, body }) => setUpIntegration(ctx, { ...params, ...body }),
});

export const DELETE = route({
  access: "write",
  summary: "Remove an integration with its skills",
  params,
  query: z.object({ scope: IntegrationScope.default("me") }),
  status: 204,
  handle: ({ ctx, params, query }) => removeIntegration(ctx, { ...params, ...query }),
});
