import { answerClaw } from "@/lib/doors/clawhub/answer-claw";
import { ClawTrending } from "@/lib/doors/clawhub/answers";
import { ClawSearchQuery } from "@/lib/doors/clawhub/schema";
import { listTrending } from "@/lib/doors/clawhub/search-claw-skills";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "door",
    summary: "ClawHub: what was installed most of late",
    query: ClawSearchQuery.pick({ limit: true }),
    answer: ClawTrending,
    handle: ({ ctx, query, request }) =>
      answerClaw({ ctx, request }, (viewer) => listTrending(viewer.ctx, query.limit)),
  }),
);
