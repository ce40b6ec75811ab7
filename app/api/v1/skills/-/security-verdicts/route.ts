import { limitReads } from "@/lib/distribution/answer-endpoint";
import { ClawVerdicts } from "@/lib/distribution/clawhub/answers";
import { VerdictsInput } from "@/lib/distribution/clawhub/schema";
import { readVerdicts } from "@/lib/distribution/clawhub/verify-claw-skill";
import { identifyRootViewer } from "@/lib/distribution/identify-viewer";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: whether versions were approved",
  body: VerdictsInput,
  maxBodyBytes: 64 * 1024,
  answer: ClawVerdicts,
  handle: async ({ ctx, body }) => {
    const viewer = await identifyRootViewer(ctx);
    await limitReads(viewer);
    return readVerdicts(viewer, body);
  },
});
