import { answerSkillsApi } from "@/lib/distribution/skills-api/answer-skills-api";
import { getSkill } from "@/lib/distribution/skills-api/list-skills";
import { SkillsApiParams, SkillsApiSkill } from "@/lib/distribution/skills-api/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "skills-api",
  summary: "Skills API of Anthropic: one skill",
  params: SkillsApiParams,
  answer: SkillsApiSkill,
  handle: ({ ctx, params, request }) => answerSkillsApi({ ctx, request }, (viewer) => getSkill(viewer.ctx, params.id)),
});
