import { route } from "@/lib/http/route";
import { listModelChoices } from "@/lib/settings/models/endpoints";
import { ModelChoices } from "@/lib/settings/models/schema";

export const GET = route({
  access: "run",
  summary: "List the models of the playground",
  answer: ModelChoices,
  answersFrom: "rows",
  handle: ({ ctx }) => listModelChoices(ctx),
});
