import { answerSkillsApi } from "@/lib/distribution/skills-api/answer-skills-api";
import { listSkills } from "@/lib/distribution/skills-api/list-skills";
import { SkillsApiListQuery, SkillsApiSkillPage } from "@/lib/distribution/skills-api/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "skills-api",
  summary: "Skills API of Anthropic: list skills",
  query: SkillsApiListQuery,
  answer: SkillsApiSkillPage,
  handle: ({ ctx, query, request }) => answerSkillsApi({ ctx, request }, (viewer) => listSkills(viewer.ctx, query)),
});
