import { answerClaw } from "@/lib/doors/clawhub/answer-claw";
import { ClawPage } from "@/lib/doors/clawhub/answers";
import { listClawVersions } from "@/lib/doors/clawhub/read-claw-skill";
import { SlugParams, VersionsQuery } from "@/lib/doors/clawhub/schema";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const GET = plainErrors(
  route({
    access: "public",
    agents: "open",
    limits: "door",
    summary: "ClawHub: the approved versions of a skill",
    params: SlugParams,
    query: VersionsQuery,
    answer: ClawPage,
    handle: ({ ctx, params, query, request }) =>
      answerClaw({ ctx, request }, (viewer) => listClawVersions(viewer.ctx, { ...params, ...query }, query)),
  }),
);
