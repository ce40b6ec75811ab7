import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawModeration } from "@/lib/distribution/clawhub/answers";
import { readModeration } from "@/lib/distribution/clawhub/read-claw-skill";
import { PinnedQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: moderation of a skill",
  params: SlugParams,
  query: PinnedQuery,
  answer: ClawModeration,
  handle: ({ ctx, params, query, request }) =>
    answerClaw({ ctx, request }, (viewer) => readModeration(viewer.ctx, { ...params, ...query })),
});
