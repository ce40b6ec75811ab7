import { route } from "@/lib/http/route";
import { listApprovals } from "@/lib/runner/approvals/list-approvals";
import { ApprovalPage, ListApprovalsQuery } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  summary: "List runs awaiting approval, oldest first",
  query: ListApprovalsQuery,
  answer: ApprovalPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listApprovals(ctx, query),
});
