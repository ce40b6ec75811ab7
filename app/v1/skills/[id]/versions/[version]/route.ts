import { answerSkillsApi, getVersion } from "@/lib/distribution/skills-api/answer-skills-api";
import { SkillsApiVersion, SkillsApiVersionParams } from "@/lib/distribution/skills-api/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "skills-api",
  summary: "Skills API of Anthropic: one version",
  params: SkillsApiVersionParams,
  answer: SkillsApiVersion,
  handle: ({ ctx, params: { id, version }, request }) =>
    answerSkillsApi({ ctx, request }, (viewer) => getVersion(viewer.ctx, id, version)),
});
