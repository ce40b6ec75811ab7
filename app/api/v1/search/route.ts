import { answerClaw } from "@/lib/doors/clawhub/answer-claw";
import { ClawResults } from "@/lib/doors/clawhub/answers";
import { ClawSearchQuery } from "@/lib/doors/clawhub/schema";
import { searchClawSkills } from "@/lib/doors/clawhub/search-claw-skills";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "door",
    summary: "ClawHub: search what is offered",
    query: ClawSearchQuery,
    answer: ClawResults,
    handle: ({ ctx, query, request }) => answerClaw({ ctx, request }, (viewer) => searchClawSkills(viewer.ctx, query)),
  }),
);
