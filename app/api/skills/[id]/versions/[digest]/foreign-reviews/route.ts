import { z } from "zod";
import { route } from "@/lib/http/route";
import { listForeignReviews } from "@/lib/review/bundles/foreign-reviews";
import { ForeignReviewList } from "@/lib/review/bundles/schema";

export const GET = route({
  access: "review",
  summary: "What other instances decided about a version, from imported bundles",
  params: z.object({ id: z.string(), digest: z.string() }),
  answer: ForeignReviewList,
  answersFrom: "rows",
  handle: ({ ctx, params }) => listForeignReviews(ctx, params),
});
