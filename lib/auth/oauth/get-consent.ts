import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { describePersona } from "../personas/describe-persona";
import { OAuthError } from "./oauth-error";
import { answerAddress, readAuthorization } from "./read-authorization";
import { type AuthorizationRequest, type Consent, ConsentPersona } from "./schema";

const MOST_PERSONAS = 200;

/** What a signed-in person is asked when a program wants to act under a persona of this server. */
export async function getConsent(ctx: Ctx, request: AuthorizationRequest): Promise<Consent> {
  requireScope(ctx.actor, "run");
  const { client, asked } = await readAuthorization(ctx, request);
  const personas = await ctx.db.persona.findMany({ orderBy: { name: "asc" }, take: MOST_PERSONAS });
  const isWrong = asked instanceof OAuthError;
  return {
    client,
    leadsTo: request.redirect_uri.replace(/\?.*$/, ""),
    scopes: isWrong ? [] : asked.scopes,
    personas: personas.map((row) => ConsentPersona.parse(describePersona(row))),
    problem: isWrong ? { message: asked.message, returnTo: refusalAddress(request, asked) } : null,
  };
}

/** The address that tells the program of a refusal (RFC 6749, section 4.1.2.1). */
export function refusalAddress(request: AuthorizationRequest, { oauthCode, message }: OAuthError): string {
  return answerAddress(request, {
    error: oauthCode,
    error_description: message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'"),
  });
}
