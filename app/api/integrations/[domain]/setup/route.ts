import { z } from "zod";
import { route } from "@/lib/http/route";
import { removeIntegration, setUpIntegration } from "@/lib/skills/transfer/integrations";
import { Integration, IntegrationScope, SetUpIntegrationInput } from "@/lib/skills/transfer/schema";

const params = z.object({ domain: z.string() });

export const POST = route({
  access: "write",
  summary: "Make an integration’s skills available, each as a pending version; for everybody by an admin",
  params,
  body: SetUpIntegrationInput,
  answer: Integration,
  status: 201,
  handle: ({ ctx, params, body }) => setUpIntegration(ctx, { ...params, ...body }),
});

export const DELETE = route({
  access: "write",
  summary: "Take an integration away with its skills",
  params,
  query: z.object({ scope: IntegrationScope.default("me") }),
  status: 204,
  handle: ({ ctx, params, query }) => removeIntegration(ctx, { ...params, ...query }),
});
