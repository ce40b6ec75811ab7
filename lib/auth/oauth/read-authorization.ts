import { z } from "zod";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { mcpAddress } from "./describe-oauth";
import { OAuthError } from "./oauth-error";
import { isRegistered } from "./redirect-uri";
import { type AuthorizationRequest, OAuthScope } from "./schema";

export type ReadAuthorization = {
  client: { id: string; name: string };
  /** What to grant, or what the program did wrong; the latter it is told by the redirect. */
  asked: { scopes: OAuthScope[] } | OAuthError;
};

/**
 * Reads an authorization request. Throws, and the browser is sent nowhere, when the program is unknown or wants its answer
 * at an address that it has not registered.
 */
export async function readAuthorization(ctx: Ctx, request: AuthorizationRequest): Promise<ReadAuthorization> {
  const client = await ctx.db.oAuthClient.findUnique({ where: { id: request.client_id } });
  if (client === null || client.expiresAt <= ctx.now()) {
    throw new AppError(
      "not_found",
      "The program that sent you here is not registered, or no longer. Connect with it again: it registers anew.",
    );
  }
  if (!isRegistered(parseJsonColumn(z.array(z.string()), client.redirectUris), request.redirect_uri)) {
    throw new AppError(
      "malformed",
      `“${client.name}” wants the answer at an address that it has not registered, so nothing is sent there.`,
    );
  }
  return { client: { id: client.id, name: client.name }, asked: readAsked(request) };
}

function readAsked(request: AuthorizationRequest): ReadAuthorization["asked"] {
  if (request.response_type !== "code") {
    return new OAuthError("unsupported_response_type", "Only response_type=code is offered.");
  }
  if (request.code_challenge_method !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(request.code_challenge)) {
    return new OAuthError("invalid_request", "PKCE is required: a code_challenge with code_challenge_method=S256.");
  }
  if (!isOurResource(request.resource)) {
    return new OAuthError("invalid_target", `Tokens are for ${mcpAddress(getEnv().publicUrl)} only.`);
  }
  const wanted = request.scope?.split(" ").filter((word) => word !== "") ?? [];
  const scopes = OAuthScope.options.filter((scope) => wanted.length === 0 || wanted.includes(scope));
  return scopes.length > 0
    ? { scopes }
    : new OAuthError("invalid_scope", `None of these scopes is offered: ${wanted.join(", ")}. Ask for read and run.`);
}

/** Whether a resource indicator (RFC 8707) names this server's MCP address; programs of before 2025-06 send none. */
export function isOurResource(resource: string | undefined): boolean {
  return resource === undefined || resource.replace(/\/$/, "") === mcpAddress(getEnv().publicUrl);
}

/** The address the browser goes back to, with the answer in its query. */
export function answerAddress(request: AuthorizationRequest, answer: Record<string, string>): string {
  const url = new URL(request.redirect_uri);
  const { state } = request;
  const fields = { ...answer, ...(state === undefined ? {} : { state }), iss: getEnv().publicUrl };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
