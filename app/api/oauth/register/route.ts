import { OAuthError } from "@/lib/auth/oauth/describe-oauth";
import { registerClient } from "@/lib/auth/oauth/register-client";
import { RegisterClientInput, RegisteredClient } from "@/lib/auth/oauth/schema";
import { oauthAnswer } from "@/lib/http/oauth-answer";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "public",
  summary: "A program registers itself for sign-in by browser",
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
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new OAuthError(
    place.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata",
    `${place || "The body"}: ${issue?.message ?? "is not valid"}`,
  );
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
  }
}
