import { route } from "@/lib/http/route";
import { listReviews } from "@/lib/review/review-queue";
import { ListReviewsQuery, ReviewPage } from "@/lib/review/schema";

export const GET = route({
  access: "read",
  summary: "Versions that wait for the caller’s decision, the oldest first",
  query: ListReviewsQuery,
  answer: ReviewPage,
  handle: ({ ctx, query }) => listReviews(ctx, query),
});
