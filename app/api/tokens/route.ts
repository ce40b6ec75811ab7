import { ApiTokenPage, CreatedToken, CreateTokenInput, ListTokensQuery } from "@/lib/auth/schema";
import { createToken, listTokens } from "@/lib/auth/tokens/tokens";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List your API tokens; admins can list all",
  query: ListTokensQuery,
  answer: ApiTokenPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listTokens(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Create an API token; only this answer contains its secret",
  body: CreateTokenInput,
  answer: CreatedToken,
  status: 201,
  handle: ({ ctx, body }) => createToken(ctx, body),
});
