import { OAuthError } from "@/lib/auth/oauth/describe-oauth";
import { registerClient } from "@/lib/auth/oauth/register-client";
import { RegisterClientInput, RegisteredClient } from "@/lib/auth/oauth/schema";
import { fieldErrors } from "@/lib/core/field-errors";
import { oauthAnswer } from "@/lib/http/oauth-answer";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  summary: "Register a program for sign-in by browser",
  rawBody: { contentType: "application/json", schema: RegisterClientInput },
  maxBodyBytes: 32 * 1024,
  answer: RegisteredClient,
  status: 201,
  handle: ({ ctx, bytes, request }) =>
    oauthAnswer({ ctx, request }, 201, () => registerClient(ctx, readMetadata(bytes))),
});

function readMetadata(bytes: Uint8Array): RegisterClientInput {
  const parsed = RegisterClientInput.safeParse(parseJson(bytes));
  if (parsed.success) return parsed.data;
  const [problem] = fieldErrors(parsed.error, "The body");
  const isRedirect = problem?.path.startsWith("redirect_uris");
  throw new OAuthError(isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata", problem?.message ?? "");
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
  }
}
