import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawPage, ClawPublished } from "@/lib/distribution/clawhub/answers";
import { publishClawSkill } from "@/lib/distribution/clawhub/publish-claw-skill";
import { ClawListQuery, PublishInput } from "@/lib/distribution/clawhub/schema";
import { listClawSkills } from "@/lib/distribution/clawhub/search-claw-skills";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: list skills",
  query: ClawListQuery,
  answer: ClawPage,
  handle: ({ ctx, query, request }) => answerClaw({ ctx, request }, (viewer) => listClawSkills(viewer.ctx, query)),
});

export const POST = route({
  access: "write",
  errors: "text",
  summary: "ClawHub: publish uploaded files as a pending version",
  body: PublishInput,
  answer: ClawPublished,
  handle: ({ ctx, body }) => publishClawSkill(ctx, body),
});
