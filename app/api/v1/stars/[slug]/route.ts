import { ClawStarred, ClawUnstarred } from "@/lib/distribution/clawhub/answers";
import { starClawSkill, unstarClawSkill } from "@/lib/distribution/clawhub/record-use";
import { OwnerQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "write",
  errors: "text",
  summary: "ClawHub: star a skill",
  params: SlugParams,
  query: OwnerQuery,
  answer: ClawStarred,
  handle: ({ ctx, params, query }) => starClawSkill(ctx, { ...params, ...query }),
});

export const DELETE = route({
  access: "write",
  errors: "text",
  summary: "ClawHub: remove a star",
  params: SlugParams,
  query: OwnerQuery,
  answer: ClawUnstarred,
  handle: ({ ctx, params, query }) => unstarClawSkill(ctx, { ...params, ...query }),
});
