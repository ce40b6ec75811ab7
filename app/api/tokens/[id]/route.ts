import { ApiToken, IdParams } from "@/lib/auth/schema";
import { getToken, revokeToken } from "@/lib/auth/tokens/tokens";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One API token, without its secret",
  params: IdParams,
  answer: ApiToken,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getToken(ctx, params.id),
});

export const DELETE = route({
  access: "write",
  summary: "Revoke an API token",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => revokeToken(ctx, params.id),
});
