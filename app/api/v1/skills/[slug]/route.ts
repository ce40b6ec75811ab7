import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawSkill } from "@/lib/distribution/clawhub/answers";
import { readClawSkill } from "@/lib/distribution/clawhub/read-claw-skill";
import { OwnerQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: a skill",
  params: SlugParams,
  query: OwnerQuery,
  answer: ClawSkill,
  handle: ({ ctx, params, query, request }) =>
    answerClaw({ ctx, request }, (viewer) => readClawSkill(viewer.ctx, { ...params, ...query })),
});
