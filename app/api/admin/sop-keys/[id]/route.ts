import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { deleteSopKey } from "@/lib/runner/approvals/sop-keys";

export const DELETE = route({
  access: "admin",
  summary: "Withdraw a key; what is signed with it is no longer valid",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deleteSopKey(ctx, params.id),
});
