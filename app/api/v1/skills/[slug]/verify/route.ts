import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawVerification } from "@/lib/distribution/clawhub/answers";
import { PinnedQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { verifyClawSkill } from "@/lib/distribution/clawhub/verify-claw-skill";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "distribution",
    summary: "ClawHub: verify that a version was approved",
    params: SlugParams,
    query: PinnedQuery,
    answer: ClawVerification,
    handle: ({ ctx, params, query, request }) =>
      answerClaw({ ctx, request }, (viewer) => verifyClawSkill(viewer.ctx, { ...params, ...query })),
  }),
);
