import { sendContent } from "@/lib/distribution/skills-api/answer-skills-api";
import { SkillsApiVersionParams } from "@/lib/distribution/skills-api/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  agents: "open",
  limits: "distribution",
  errors: "skills-api",
  summary: "Skills API of Anthropic: the files of a version as a ZIP",
  params: SkillsApiVersionParams,
  media: ["application/zip"],
  also: { 206: { description: "The requested byte range" } },
  handle: ({ ctx, params, request }) => sendContent({ ctx, request }, params),
});
