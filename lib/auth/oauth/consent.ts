import { randomBytes } from "node:crypto";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { describePersona } from "../personas";
import { requireTokenManager } from "../tokens/tokens";
import { mcpAddress, OAuthError } from "./describe-oauth";
import { isRegistered } from "./register-client";
import { type AuthorizationRequest, type Consent, ConsentPersona, type DecideConsentInput, OAuthScope } from "./schema";

export type ReadAuthorization = {
  client: { id: string; name: string };
  /** Requested scopes, or the program's error, which the redirect reports to it. */
  asked: { scopes: OAuthScope[] } | OAuthError;
};

/** Validates a request. Throws, without a redirect, for an unknown program or an unregistered address. */
async function readAuthorization(ctx: Ctx, request: AuthorizationRequest): Promise<ReadAuthorization> {
  const client = await ctx.db.oAuthClient.findUnique({ where: { id: request.client_id } });
  if (client === null || client.expiresAt <= ctx.now()) {
    throw new AppError(
      "not_found",
      "The program that sent you here is no longer registered. Connect with it again, so that it registers anew.",
    );
  }
  if (!isRegistered(parseJsonColumn(z.array(z.string()), client.redirectUris), request.redirect_uri)) {
    throw new AppError(
      "malformed",
      `“${client.name}” requested an answer at an address that it has not registered. Nothing was sent there.`,
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

/** Whether a resource indicator (RFC 8707) names this server's MCP address; programs from before 2025-06 send none. */
export function isOurResource(resource: string | undefined): boolean {
  return resource === undefined || resource.replace(/\/$/, "") === mcpAddress(getEnv().publicUrl);
}

function answerAddress(request: AuthorizationRequest, answer: Record<string, string>): string {
  const url = new URL(request.redirect_uri);
  const { state } = request;
  const fields = { ...answer, ...(state === undefined ? {} : { state }), iss: getEnv().publicUrl };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

const MAX_PERSONAS = 200;

/** The question for a person when a program wants to act under a persona. */
export async function getConsent(ctx: Ctx, request: AuthorizationRequest): Promise<Consent> {
  requireScope(ctx.actor, "run");
  const { client, asked } = await readAuthorization(ctx, request);
  const personas = await ctx.db.persona.findMany({ orderBy: { name: "asc" }, take: MAX_PERSONAS });
  const isWrong = asked instanceof OAuthError;
  return {
    client,
    leadsTo: request.redirect_uri.replace(/\?.*$/, ""),
    scopes: isWrong ? [] : asked.scopes,
    personas: personas.map((row) => ConsentPersona.parse(describePersona(row))),
    problem: isWrong ? { message: asked.message, returnTo: refusalAddress(request, asked) } : null,
  };
}

/** Redirect address that reports a refusal (RFC 6749, section 4.1.2.1). */
function refusalAddress(request: AuthorizationRequest, { oauthCode, message }: OAuthError): string {
  return answerAddress(request, {
    error: oauthCode,
    error_description: message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'"),
  });
}

const CODE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** An approved program is remembered for half a year after its last approval. */
const KNOWN_MS = 180 * DAY_MS;

/** Approves a program under a persona, or denies it; returns the redirect, with a code for one minute. */
export async function decideConsent(ctx: Ctx, input: DecideConsentInput): Promise<{ returnTo: string }> {
  const actor = requireTokenManager(ctx.actor);
  const { request } = input;
  return inTransaction(ctx, async (tx, txCtx) => {
    const { client, asked } = await readAuthorization(txCtx, request);
    if (asked instanceof OAuthError) return { returnTo: refusalAddress(request, asked) };
    const target = { kind: "oauth-client", id: client.id, name: client.name };
    if (input.decision === "deny") {
      const summary = `denied access to the program “${client.name}”`;
      await recordEvent(tx, txCtx, { action: "oauth.deny", outcome: "refused", summary, target });
      return { returnTo: refusalAddress(request, new OAuthError("access_denied", `${actor.name} said no.`)) };
    }
    const persona = await tx.persona.findUnique({ where: { id: input.persona } });
    if (persona === null) {
      const message = "must be the id of a persona";
      throw new AppError("invalid", `The persona ${message}.`, { errors: [{ path: "persona", message }] });
    }
    const code = randomBytes(32).toString("base64url");
    const createdAt = ctx.now();
    const later = (ms: number) => new Date(createdAt.getTime() + ms);
    await tx.oAuthCode.deleteMany({ where: { expiresAt: { lte: later(-DAY_MS) } } });
    await tx.oAuthCode.create({
      data: {
        id: newId(),
        codeHash: sha256Hex(code),
        clientId: client.id,
        userId: actor.userId,
        personaId: persona.id,
        scopes: JSON.stringify(asked.scopes),
        redirectUri: request.redirect_uri,
        codeChallenge: request.code_challenge,
        tokenExpiry: later(input.days * DAY_MS),
        createdAt,
        expiresAt: later(CODE_MS),
      },
    });
    await tx.oAuthClient.update({
      where: { id: client.id },
      data: { consentedAt: createdAt, expiresAt: later(KNOWN_MS) },
    });
    await recordEvent(tx, txCtx, {
      action: "oauth.allow",
      summary: `authorised the program “${client.name}” under the persona “${persona.name}” with ${asked.scopes.join(", ")}`,
      target,
      data: { persona: persona.name, scopes: asked.scopes, days: input.days, redirectUri: request.redirect_uri },
    });
    return { returnTo: answerAddress(request, { code }) };
  });
}
