import { route } from "@/lib/http/route";
import { ReviewKeyList } from "@/lib/review/schema";
import { listReviewKeys } from "@/lib/review/signatures";

export const GET = route({
  access: "read",
  summary: "Public keys that approvals are signed with",
  answer: ReviewKeyList,
  answersFrom: "rows",
  handle: ({ ctx }) => listReviewKeys(ctx),
});
