import { ClawStarred, ClawUnstarred } from "@/lib/distribution/clawhub/answers";
import { starClawSkill, unstarClawSkill } from "@/lib/distribution/clawhub/record-use";
import { OwnerQuery, SlugParams } from "@/lib/distribution/clawhub/schema";
import { plainErrors } from "@/lib/http/plain-errors";
import { route } from "@/lib/http/route";

export const POST = plainErrors(
  route({
    access: "write",
    summary: "ClawHub: star a skill",
    params: SlugParams,
    query: OwnerQuery,
    answer: ClawStarred,
    handle: ({ ctx, params, query }) => starClawSkill(ctx, { ...params, ...query }),
  }),
);

export const DELETE = plainErrors(
  route({
    access: "write",
    summary: "ClawHub: remove a star",
    params: SlugParams,
    query: OwnerQuery,
    answer: ClawUnstarred,
    handle: ({ ctx, params, query }) => unstarClawSkill(ctx, { ...params, ...query }),
  }),
);
