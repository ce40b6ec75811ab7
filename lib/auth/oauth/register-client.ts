import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS, limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { OAuthError } from "./describe-oauth";
import { OAuthScope, type RegisterClientInput, type RegisteredClient } from "./schema";

const PER_MINUTE = FIXED_LIMITS.oauthClients.perMinute;
const MAX_PENDING = 500;
const PENDING_MS = 60 * 60_000;

/**
 * Registers a program (RFC 7591), without a secret and without any right. It is deleted after an hour without a
 * person's consent. `rate_limited` above 20 per minute from one address, and while 500 programs await consent.
 */
export async function registerClient(ctx: Ctx, input: RegisterClientInput): Promise<RegisteredClient> {
  const taken = await takeFromLimit("oauth-register", ctx.request.address ?? "", PER_MINUTE);
  if (!taken.allowed) throw tooMany(taken.resetSeconds, limitFields(taken));
  const bad = input.redirect_uris.find((uri) => !isRedirectUri(uri));
  if (bad !== undefined) {
    throw new OAuthError(
      "invalid_redirect_uri",
      `The redirect address ${bad} is not allowed. Use https, or http on this machine.`,
    );
  }
  const method = input.token_endpoint_auth_method ?? "none";
  if (method !== "none") {
    throw new OAuthError("invalid_client_metadata", `“${method}” is not offered; programs have no secret here.`);
  }
  const createdAt = ctx.now();
  const client = {
    id: `sgc_${randomBytes(24).toString("base64url")}`,
    name: input.client_name ?? "A program without a name",
    redirectUris: JSON.stringify(input.redirect_uris),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + PENDING_MS),
  };
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.oAuthClient.deleteMany({ where: { expiresAt: { lte: createdAt } } });
    if ((await tx.oAuthClient.count({ where: { consentedAt: null } })) >= MAX_PENDING) throw tooMany(60);
    await tx.oAuthClient.create({ data: client });
    await recordEvent(tx, txCtx, {
      action: "oauth.register",
      summary: `registered the program “${client.name}” for sign-in by browser`,
      target: { kind: "oauth-client", id: client.id, name: client.name },
      data: { redirectUris: input.redirect_uris },
    });
  });
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    client_name: client.name,
    redirect_uris: input.redirect_uris,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: OAuthScope.options.join(" "),
  };
}

function tooMany(retryAfterSeconds: number, headers: Record<string, string> = {}): AppError {
  return new AppError("rate_limited", `Too many registrations. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
    headers,
  });
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** Schemes that a browser handles itself, or that name no program. */
const NEVER = new Set([
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "javascript:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
]);

/**
 * Whether a redirect address is allowed: https, http on this machine, or a private scheme (`cursor://…`,
 * `com.example.app:/…`), without fragment and user part (RFC 6749 section 3.1.2, RFC 8252 section 7).
 */
export function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || /[\s\p{Cc}#]/u.test(text)) return false;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || NEVER.has(url.protocol)) return false;
  if (url.protocol === "http:") return LOOPBACK.has(url.hostname);
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]|[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:\/)/i.test(text);
}

/** Exact match; on loopback with any port, which native programs choose at each start (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  return registered.some((known) => known === given || (withoutPort(known) ?? known) === withoutPort(given));
}

function withoutPort(text: string): string | null {
  const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)(.*)$/.exec(text);
  return loopback === null ? null : `${loopback[1]}${loopback[2]}`;
}
