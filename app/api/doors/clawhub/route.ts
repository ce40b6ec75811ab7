import { answerEndpoint } from "@/lib/distribution/answer-endpoint";
import { ClawInstance } from "@/lib/distribution/clawhub/answers";
import { recordActivity } from "@/lib/distribution/client-activity";
import { publicAddress } from "@/lib/distribution/public-address";
import { viewerOfRoot } from "@/lib/distribution/viewer-of";
import { route } from "@/lib/http/route";

/** Reached as `/.well-known/clawhub.json`: see bin/serve/rewrite-doors.mjs. The client appends `/api/v1/…` itself. */
export const GET = route({
  access: "public",
  agents: "open",
  limits: "door",
  summary: "Where the ClawHub API of this instance is",
  answer: ClawInstance,
  handle: async ({ ctx, request }) => {
    const viewer = await viewerOfRoot(ctx);
    const base = publicAddress("");
    const body = JSON.stringify({ apiBase: base, authBase: base, minCliVersion: "0.1.0" });
    return answerEndpoint(request, viewer, async () => {
      await recordActivity(viewer.ctx, "clawhub", request);
      return { body, contentType: "application/json", kind: "index" };
    });
  },
});
