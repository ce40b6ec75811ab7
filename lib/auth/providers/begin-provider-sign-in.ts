import { askNextAuth } from "@/lib/auth/ask-next-auth";
import { authenticateRequest } from "@/lib/auth/authenticate-request";
import { nextAuthOptions } from "@/lib/auth/next-auth-options";
import { shapeAuthAnswer } from "@/lib/auth/shape-auth-answer";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { connectCookie, noConnectCookie } from "./connect-cookie";
import { failureCode } from "./failure-code";
import { providerConfig } from "./provider-config";
import { recordProviderFailure } from "./record-provider-failure";
import { limitRoundTrips, type RoundTrip, refusalPage } from "./round-trip";

type Input = RoundTrip & { fields: Record<string, string>; wantsJson: boolean };

/**
 * Sends the browser to a provider. With the field `connect`, to connect an account with whoever is signed in. The answer is
 * the provider's address, or the page that says why not, as a redirect or as `{url}`.
 */
export async function beginProviderSignIn(ctx: Ctx, input: Input): Promise<Response> {
  const { request, path, fields, provider, rules, env, site, wantsJson } = input;
  await limitRoundTrips(ctx);
  const isConnecting = fields.connect === "true";
  const actor = isConnecting ? await authenticateRequest(ctx, request) : null;
  if (isConnecting && actor?.kind !== "user") throw new AppError("unauthenticated", "Sign in first.");
  const { response, errors } = await askNextAuth({
    request,
    path,
    query: {}, // next-auth would pass them on to the provider, over its own.
    fields,
    options: nextAuthOptions(ctx, {
      ...site,
      passwords: false,
      providers: [
        providerConfig(provider, {
          env,
          organisations: rules.organisations,
          groups: rules.groups,
          onIdentity: () => undefined,
        }),
      ],
      admit: () => Promise.reject(new Error("Nobody is admitted by this action.")),
      onFailure: () => undefined,
    }),
  });
  const [failure] = errors;
  if (failure !== undefined) {
    const code = failureCode(failure, null);
    logger.warn({ provider: provider.id, code, detail: failure.message }, "a provider of sign-ins did not answer");
    await recordProviderFailure({ ...ctx, actor: actor ?? ctx.actor }, { provider, code });
    response.headers.set("location", refusalPage(provider, code, isConnecting));
  }
  const state = new URL(response.headers.get("location") ?? "", site.url).searchParams.get("state");
  const cookie =
    actor?.kind === "user" && state !== null
      ? await connectCookie({ sid: actor.sessionId, state }, site)
      : noConnectCookie(site);
  response.headers.append("set-cookie", cookie);
  return shapeAuthAnswer(response, { wantsJson, siteUrl: site.url, failure: undefined });
}
