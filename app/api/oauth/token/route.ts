import { OAuthError } from "@/lib/auth/oauth/describe-oauth";
import { exchangeCode } from "@/lib/auth/oauth/exchange-code";
import { IssuedToken, TokenRequest } from "@/lib/auth/oauth/schema";
import { oauthAnswer } from "@/lib/http/oauth-answer";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  summary: "Exchange an authorization code for a token",
  rawBody: { contentType: "application/x-www-form-urlencoded", schema: TokenRequest },
  maxBodyBytes: 16 * 1024,
  answer: IssuedToken,
  handle: ({ ctx, bytes, request }) => oauthAnswer({ ctx, request }, 200, () => exchangeCode(ctx, readForm(bytes))),
});

function readForm(bytes: Uint8Array): TokenRequest {
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))];
  const form = Object.fromEntries(fields);
  const parsed = TokenRequest.safeParse(form);
  if (parsed.success && Object.keys(form).length === fields.length) return parsed.data;
  throw new OAuthError("invalid_request", "A parameter is too long or repeated.");
}
