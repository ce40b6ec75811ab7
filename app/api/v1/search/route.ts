import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawResults } from "@/lib/distribution/clawhub/answers";
import { ClawSearchQuery } from "@/lib/distribution/clawhub/schema";
import { searchClawSkills } from "@/lib/distribution/clawhub/search-claw-skills";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: search skills",
  query: ClawSearchQuery,
  answer: ClawResults,
  handle: ({ ctx, query, request }) => answerClaw({ ctx, request }, (viewer) => searchClawSkills(viewer.ctx, query)),
});
