import { route } from "@/lib/http/route";
import { listIntegrations } from "@/lib/skills/transfer/integrations";
import { IntegrationList } from "@/lib/skills/transfer/schema";

export const GET = route({
  access: "read",
  summary: "List integrations with their set-up",
  answer: IntegrationList,
  answersFrom: "rows",
  handle: ({ ctx }) => listIntegrations(ctx),
});
