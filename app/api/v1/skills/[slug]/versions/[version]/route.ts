import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawVersion } from "@/lib/distribution/clawhub/answers";
import { readClawVersion } from "@/lib/distribution/clawhub/read-claw-skill";
import { OwnerQuery, VersionParams } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: a version with its files",
  params: VersionParams,
  query: OwnerQuery,
  answer: ClawVersion,
  handle: ({ ctx, params, query, request }) =>
    answerClaw({ ctx, request }, (viewer) =>
      readClawVersion(viewer.ctx, { slug: params.slug, ...query }, params.version),
    ),
});
