import { answerSkillsApi, listVersions } from "@/lib/distribution/skills-api/answer-skills-api";
import { SkillsApiPageQuery, SkillsApiParams, SkillsApiVersionPage } from "@/lib/distribution/skills-api/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "skills-api",
  summary: "Skills API of Anthropic: approved versions of a skill",
  params: SkillsApiParams,
  query: SkillsApiPageQuery,
  answer: SkillsApiVersionPage,
  handle: ({ ctx, params, query, request }) =>
    answerSkillsApi({ ctx, request }, (viewer) => listVersions(viewer.ctx, params.id, query)),
});
