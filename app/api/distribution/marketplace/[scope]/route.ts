import { z } from "zod";
import { answerIndex } from "@/lib/distribution/answer-endpoint";
import { identifyViewer } from "@/lib/distribution/identify-viewer";
import { marketplaceFor } from "@/lib/distribution/marketplace-for";
import { parseScope } from "@/lib/distribution/scope";
import { route } from "@/lib/http/route";
import { JsonObject } from "@/lib/skill-format/schema";

export const addresses = [":scope/marketplace.json"];

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  summary: "Approved skills as a plugin marketplace",
  params: z.object({ scope: z.string().max(400) }),
  answer: JsonObject,
  handle: async ({ ctx, params, request }) => {
    const viewer = await identifyViewer(ctx, parseScope(params.scope));
    return answerIndex(request, viewer, "marketplace", async () => ({
      body: JSON.stringify(await marketplaceFor(viewer), null, 2),
    }));
  },
});
