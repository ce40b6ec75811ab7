import { finishProviderSignIn } from "@/lib/auth/providers/finish-provider-sign-in";
import { providerConfig } from "@/lib/auth/providers/provider-config";
import { failureCode, recordProviderFailure } from "@/lib/auth/providers/provider-failures";
import { readProviders } from "@/lib/auth/providers/read-providers";
import {
  clearConnectCookie,
  connectCookie,
  failurePage,
  limitRoundTrips,
  type RoundTrip,
} from "@/lib/auth/providers/round-trip";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import type { SignInRules } from "@/lib/policy/decide-sign-in";
import { authenticateRequest } from "./authenticate-request";
import { callNextAuth, nextAuthOptions, pageAddress } from "./next-auth-options";
import { usesSecureCookies } from "./session-cookie";

const ACTIONS = new Set([
  "GET csrf",
  "GET error",
  "GET providers",
  "GET session",
  "GET signin",
  "GET signout",
  "POST callback/credentials",
  "POST signout",
]);

export type AuthInput = {
  request: Request;
  path: string[];
  fields: Record<string, string>;
  rules: SignInRules;
};

/** Handles sign-in and sign-out requests with next-auth; other actions of next-auth are disabled. */
export async function runNextAuth(ctx: Ctx, { request, path, fields, rules }: AuthInput): Promise<Response> {
  const env = getEnv();
  if (env.NEXTAUTH_SECRET === undefined) throw new Error("NEXTAUTH_SECRET is not set.");
  const siteUrl = env.NEXTAUTH_URL ?? env.publicUrl;
  const site = { secret: env.NEXTAUTH_SECRET, isSecure: usesSecureCookies(env), url: siteUrl };
  const providers = readProviders(env);
  const action = `${request.method} ${path.join("/")}`;
  // next-auth loses the status when asked for JSON.
  const { json, ...rest } = withoutForeignPage(fields, siteUrl);
  const wantsJson = json === "true";
  const provider = providers.find(({ id }) => action === `POST signin/${id}` || action === `GET callback/${id}`);
  if (provider !== undefined) {
    const trip = { request, path, rules, provider, env, site };
    if (request.method === "GET") return finishProviderSignIn(ctx, trip);
    return beginProviderSignIn(ctx, { ...trip, fields: rest, wantsJson });
  }
  if (!ACTIONS.has(action)) throw new AppError("not_found", "There is no such sign-in action.");
  if (action === "POST callback/credentials" && !rules.passwords) {
    throw new AppError("forbidden", "This server does not accept passwords. Use another sign-in method.", {
      rule: "passwords-off",
    });
  }
  const needsActor = path[0] === "session" || path[0] === "signout";
  const actorCtx = needsActor ? { ...ctx, actor: await authenticateRequest(ctx, request) } : ctx;
  const failures: unknown[] = [];
  const options = nextAuthOptions(actorCtx, {
    ...site,
    passwords: rules.passwords,
    providers: providers.map(({ id, name }) => ({ id, name, type: "oauth", profile: () => ({ id: "" }) })),
    admit: () => Promise.reject(new Error("This sign-in action is not available.")),
    onFailure: (error) => failures.push(error),
  });
  const query = withoutForeignPage(Object.fromEntries(new URL(request.url).searchParams), siteUrl);
  // next-auth puts it into an address as it is.
  if (query.error !== undefined && !/^\w{1,60}$/.test(query.error)) query.error = "Default";
  const { response } = await callNextAuth({ request, path, query, fields: rest, options });
  return shapeAuthAnswer(response, { wantsJson, siteUrl, failure: failures[0] });
}

/** Removes a redirect to another site, which next-auth would report as a configuration error. */
function withoutForeignPage({ callbackUrl, ...rest }: Record<string, string>, siteUrl: string): Record<string, string> {
  return callbackUrl === undefined ? rest : { ...rest, callbackUrl: pageAddress(callbackUrl, new URL(siteUrl).origin) };
}

type Input = RoundTrip & { fields: Record<string, string>; wantsJson: boolean };

/**
 * Redirects the browser to a provider; with the field `connect`, to connect an account with the signed-in person.
 * Answers the provider's address, or the page with the reason of a failure, as a redirect or as `{url}`.
 */
async function beginProviderSignIn(ctx: Ctx, input: Input): Promise<Response> {
  const { request, path, fields, provider, rules, env, site, wantsJson } = input;
  await limitRoundTrips(ctx);
  const isConnecting = fields.connect === "true";
  const actor = isConnecting ? await authenticateRequest(ctx, request) : null;
  if (isConnecting && actor?.kind !== "user") throw new AppError("unauthenticated", "Sign in first.");
  const { response, errors } = await callNextAuth({
    request,
    path,
    query: {}, // next-auth would override its own parameters with them.
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
      admit: () => Promise.reject(new Error("This sign-in action is not available.")),
      onFailure: () => undefined,
    }),
  });
  const [failure] = errors;
  if (failure !== undefined) {
    const code = failureCode(failure, null);
    logger.warn({ provider: provider.id, code, detail: failure.message }, "a sign-in provider did not answer");
    await recordProviderFailure({ ...ctx, actor: actor ?? ctx.actor }, { provider, code });
    response.headers.set("location", failurePage(provider, code, isConnecting));
  }
  const state = new URL(response.headers.get("location") ?? "", site.url).searchParams.get("state");
  const cookie =
    actor?.kind === "user" && state !== null
      ? await connectCookie({ sid: actor.sessionId, state }, site)
      : clearConnectCookie(site);
  response.headers.append("set-cookie", cookie);
  return shapeAuthAnswer(response, { wantsJson, siteUrl: site.url, failure: undefined });
}

type Shape = {
  wantsJson: boolean;
  siteUrl: string;
  failure: unknown;
};

/** Sets the correct status: next-auth answers refusals too with a redirect or 200. */
function shapeAuthAnswer(response: Response, { wantsJson, siteUrl, failure }: Shape): Response {
  const isThrottled = failure instanceof AppError && failure.code === "rate_limited";
  if (failure !== undefined && !isThrottled) throw failure;
  if (isThrottled) response.headers.set("retry-after", String(failure.retryAfterSeconds ?? 1));
  const location = response.headers.get("location");
  if (location === null) return response;
  const { origin, pathname, searchParams } = new URL(location, siteUrl);
  const isOurs = origin === new URL(siteUrl).origin && pathname.startsWith("/api/auth/");
  if (isOurs && searchParams.has("csrf")) {
    throw new AppError("forbidden", "Send the csrfToken from GET /api/auth/csrf, and the cookie that it sets.");
  }
  if (!wantsJson) return response;
  const headers = new Headers(response.headers);
  headers.delete("location");
  headers.set("content-type", "application/json");
  const status = isThrottled ? 429 : isOurs && searchParams.has("error") ? 401 : 200;
  return new Response(JSON.stringify({ url: location }), { status, headers });
}
