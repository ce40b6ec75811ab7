import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawInstall } from "@/lib/distribution/clawhub/answers";
import { readInstall } from "@/lib/distribution/clawhub/read-claw-skill";
import { OwnerQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: download URL of a skill",
  params: SlugParams,
  query: OwnerQuery,
  answer: ClawInstall,
  handle: ({ ctx, params, query, request }) =>
    answerClaw(
      { ctx, request },
      (viewer) => readInstall(viewer.ctx, { ...params, ...query }),
      (answer) => (answer.ok ? 200 : answer.status),
    ),
});
