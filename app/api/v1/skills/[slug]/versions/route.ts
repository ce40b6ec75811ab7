import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawPage } from "@/lib/distribution/clawhub/answers";
import { listClawVersions } from "@/lib/distribution/clawhub/read-claw-skill";
import { SlugParams, VersionsQuery } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: approved versions of a skill",
  params: SlugParams,
  query: VersionsQuery,
  answer: ClawPage,
  handle: ({ ctx, params, query, request }) =>
    answerClaw({ ctx, request }, (viewer) => listClawVersions(viewer.ctx, { ...params, ...query }, query)),
});
