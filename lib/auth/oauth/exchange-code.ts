import { createHash } from "node:crypto";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import { FIXED_LIMITS, requireFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { OAuthCode as CodeRow } from "@/lib/db/generated/client";
import { findCaller } from "../people/find-caller";
import { createToken } from "../tokens/tokens";
import { isOurResource } from "./consent";
import { OAuthError } from "./describe-oauth";
import { type IssuedToken, OAuthScope, type TokenRequest } from "./schema";

const PER_MINUTE = FIXED_LIMITS.oauthTokens.perMinute;
const REFUSED = "The code is unknown, used, expired, or belongs to another program, address or verifier.";

/**
 * Exchanges an authorization code for an agent token (RFC 6749, section 4.1.3; RFC 7636). A second use means that the
 * code was stolen, so its token is revoked.
 */
export async function exchangeCode(ctx: Ctx, request: TokenRequest): Promise<IssuedToken> {
  const limit = { limit: PER_MINUTE, message: "Too many token requests. Try again in a minute." };
  await requireFromLimit("oauth-token", ctx.request.address ?? "", limit);
  if (request.grant_type !== "authorization_code") {
    throw new OAuthError("unsupported_grant_type", "Only grant_type=authorization_code is offered.");
  }
  if (!isOurResource(request.resource))
    throw new OAuthError("invalid_target", "Tokens are for this server’s /mcp only.");
  const issued = await inTransaction(ctx, async (tx, txCtx) => {
    const code = await tx.oAuthCode.findUnique({ where: { codeHash: sha256Hex(request.code) } });
    if (code === null) return null;
    if (code.usedAt !== null) {
      await revokeStolen(tx, txCtx, code);
      return null;
    }
    const client = await tx.oAuthClient.findUnique({ where: { id: code.clientId } });
    if (client === null || !fits(code, request) || code.expiresAt <= ctx.now()) return null;
    // The person may be disabled now, and the persona deleted.
    const actor = await findCaller(txCtx, { userId: code.userId, tokenId: null, sessionId: null });
    const persona = await tx.persona.findUnique({ where: { id: code.personaId } });
    if (actor === null || persona === null) return null;
    const scopes = parseJsonColumn(z.array(OAuthScope), code.scopes);
    const token = await createToken(
      { ...txCtx, actor },
      { name: `${client.name} (by browser)`, scopes, persona: persona.id, expiresAt: code.tokenExpiry.toISOString() },
    );
    await tx.oAuthCode.update({ where: { id: code.id }, data: { usedAt: ctx.now(), tokenId: token.id } });
    return { token: token.token, scopes, expiresAt: code.tokenExpiry };
  });
  if (issued === null) throw new OAuthError("invalid_grant", REFUSED);
  return {
    access_token: issued.token,
    token_type: "Bearer",
    expires_in: Math.floor((issued.expiresAt.getTime() - ctx.now().getTime()) / 1000),
    scope: issued.scopes.join(" "),
  };
}

function fits(code: CodeRow, request: TokenRequest): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(request.code_verifier)) return false;
  const challenge = createHash("sha256").update(request.code_verifier).digest("base64url");
  return (
    code.clientId === request.client_id && code.redirectUri === request.redirect_uri && code.codeChallenge === challenge
  );
}

async function revokeStolen(tx: Tx, ctx: Ctx, { tokenId, userId, clientId }: CodeRow): Promise<void> {
  if (tokenId === null) return;
  const { count } = await tx.apiToken.updateMany({
    where: { id: tokenId, revokedAt: null },
    data: { revokedAt: ctx.now() },
  });
  if (count === 0) return;
  const token = await tx.apiToken.findUniqueOrThrow({ where: { id: tokenId } });
  await recordEvent(tx, ctx, {
    action: "token.revoke",
    summary: `sent a code for the second time, so the token “${token.name}” was revoked`,
    concerns: userId,
    target: { kind: "token", id: tokenId, name: token.name },
    data: { userId, clientId },
  });
}
