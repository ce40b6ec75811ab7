import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawTrending } from "@/lib/distribution/clawhub/answers";
import { ClawSearchQuery } from "@/lib/distribution/clawhub/schema";
import { listTrending } from "@/lib/distribution/clawhub/search-claw-skills";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: most installed recently",
  query: ClawSearchQuery.pick({ limit: true }),
  answer: ClawTrending,
  handle: ({ ctx, query, request }) => answerClaw({ ctx, request }, (viewer) => listTrending(viewer.ctx, query.limit)),
});
