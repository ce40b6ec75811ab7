import { limitReads } from "@/lib/distribution/answer-endpoint";
import { ClawVerdicts } from "@/lib/distribution/clawhub/answers";
import { VerdictsInput } from "@/lib/distribution/clawhub/schema";
import { readVerdicts } from "@/lib/distribution/clawhub/verify-claw-skill";
import { identifyRootViewer } from "@/lib/distribution/identify-viewer";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const POST = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "distribution",
    summary: "ClawHub: whether versions were approved",
    body: VerdictsInput,
    maxBodyBytes: 64 * 1024,
    answer: ClawVerdicts,
    handle: async ({ ctx, body }) => {
      const viewer = await identifyRootViewer(ctx);
      await limitReads(viewer);
      return readVerdicts(viewer, body);
    },
  }),
);
