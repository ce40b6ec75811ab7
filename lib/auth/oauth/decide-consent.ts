import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireTokenKeeper } from "../tokens/require-token-keeper";
import { refusalAddress } from "./get-consent";
import { OAuthError } from "./oauth-error";
import { answerAddress, readAuthorization } from "./read-authorization";
import type { DecideConsentInput } from "./schema";

const CODE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A program that was let in is known until it has not been for half a year. */
const KNOWN_MS = 180 * DAY_MS;

/** Lets a program in under a persona, or sends it away. Answers where the browser goes: with a code that works for a minute, once. */
export async function decideConsent(ctx: Ctx, input: DecideConsentInput): Promise<{ returnTo: string }> {
  const actor = requireTokenKeeper(ctx.actor);
  const { request } = input;
  return inTransaction(ctx, async (tx, txCtx) => {
    const { client, asked } = await readAuthorization(txCtx, request);
    if (asked instanceof OAuthError) return { returnTo: refusalAddress(request, asked) };
    const target = { kind: "oauth-client", id: client.id, name: client.name };
    if (input.decision === "deny") {
      const summary = `refused to let the program “${client.name}” in`;
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
      summary: `let the program “${client.name}” in as the persona “${persona.name}” with ${asked.scopes.join(", ")}`,
      target,
      data: { persona: persona.name, scopes: asked.scopes, days: input.days, redirectUri: request.redirect_uri },
    });
    return { returnTo: answerAddress(request, { code }) };
  });
}
