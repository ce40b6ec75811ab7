import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawVerification } from "@/lib/distribution/clawhub/answers";
import { PinnedQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { verifyClawSkill } from "@/lib/distribution/clawhub/verify-claw-skill";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: verify that a version was approved",
  params: SlugParams,
  query: PinnedQuery,
  answer: ClawVerification,
  handle: ({ ctx, params, query, request }) =>
    answerClaw({ ctx, request }, (viewer) => verifyClawSkill(viewer.ctx, { ...params, ...query })),
});
