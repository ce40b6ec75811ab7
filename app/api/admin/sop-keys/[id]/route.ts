import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { deleteSopKey } from "@/lib/runner/approvals/sop-keys";

export const DELETE = route({
  access: "admin",
  summary: "Withdraw a key; procedures signed with it become invalid",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deleteSopKey(ctx, params.id),
});
