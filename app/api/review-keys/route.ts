import { route } from "@/lib/http/route";
import { listReviewKeys } from "@/lib/review/list-review-keys";
import { ReviewKeyList } from "@/lib/review/schema";

export const GET = route({
  access: "read",
  summary: "Public keys that approvals are signed with",
  answer: ReviewKeyList,
  handle: ({ ctx }) => listReviewKeys(ctx),
});
