import { route } from "@/lib/http/route";
import { listReviews } from "@/lib/review/review-queue";
import { ListReviewsQuery, ReviewPage } from "@/lib/review/schema";

export const GET = route({
  access: "read",
  summary: "List versions pending your decision, oldest first",
  query: ListReviewsQuery,
  answer: ReviewPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listReviews(ctx, query),
});
