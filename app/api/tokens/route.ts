import { ApiTokenPage, CreatedToken, CreateTokenInput, ListTokensQuery } from "@/lib/auth/schema";
import { createToken, listTokens } from "@/lib/auth/tokens/tokens";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "API tokens: one’s own; for admins also others’",
  query: ListTokensQuery,
  answer: ApiTokenPage,
  handle: ({ ctx, query }) => listTokens(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Make an API token; its secret is shown this once",
  body: CreateTokenInput,
  answer: CreatedToken,
  status: 201,
  handle: ({ ctx, body }) => createToken(ctx, body),
});
