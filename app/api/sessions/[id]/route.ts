import { IdParams } from "@/lib/auth/schema";
import { revokeSession } from "@/lib/auth/sessions/sessions";
import { route } from "@/lib/http/route";

export const DELETE = route({
  access: "write",
  summary: "End one session",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => revokeSession(ctx, params.id),
});
