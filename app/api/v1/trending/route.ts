import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawTrending } from "@/lib/distribution/clawhub/answers";
import { ClawSearchQuery } from "@/lib/distribution/clawhub/schema";
import { listTrending } from "@/lib/distribution/clawhub/search-claw-skills";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "distribution",
    summary: "ClawHub: most installed recently",
    query: ClawSearchQuery.pick({ limit: true }),
    answer: ClawTrending,
    handle: ({ ctx, query, request }) =>
      answerClaw({ ctx, request }, (viewer) => listTrending(viewer.ctx, query.limit)),
  }),
);
