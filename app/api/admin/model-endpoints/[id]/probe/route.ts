import { z } from "zod";
import { route } from "@/lib/http/route";
import { probeEndpoint } from "@/lib/settings/models/endpoints";
import { ModelProbe } from "@/lib/settings/models/schema";

export const POST = route({
  access: "admin",
  summary: "Test a model endpoint with a one-word request",
  params: z.object({ id: z.string() }),
  answer: ModelProbe,
  handle: ({ ctx, params }) => probeEndpoint(ctx, params.id),
});
