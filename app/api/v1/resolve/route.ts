import { answerClaw } from "@/lib/distribution/clawhub/answer-claw";
import { ClawMatch } from "@/lib/distribution/clawhub/answers";
import { resolveFingerprint } from "@/lib/distribution/clawhub/read-claw-skill";
import { ResolveQuery } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  errors: "text",
  summary: "ClawHub: find the version of a fingerprint",
  query: ResolveQuery,
  answer: ClawMatch,
  handle: ({ ctx, query, request }) => answerClaw({ ctx, request }, (viewer) => resolveFingerprint(viewer.ctx, query)),
});
