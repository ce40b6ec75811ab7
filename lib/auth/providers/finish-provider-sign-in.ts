import { recordRefusal } from "@/lib/audit/record-refusal";
import { askNextAuth } from "@/lib/auth/ask-next-auth";
import { authenticateRequest } from "@/lib/auth/authenticate-request";
import type { SessionClaims } from "@/lib/auth/authenticate-session";
import { nextAuthOptions } from "@/lib/auth/next-auth-options";
import { parseCookies } from "@/lib/auth/session-cookie";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import type { Identity } from "@/lib/policy/admit-identity";
import { noConnectCookie, readConnectCookie } from "./connect-cookie";
import { connectSignIn } from "./connect-sign-in";
import { failureCode } from "./failure-code";
import { providerConfig } from "./provider-config";
import { recordProviderFailure } from "./record-provider-failure";
import { limitRoundTrips, type RoundTrip, refusalPage } from "./round-trip";
import type { ProviderSignInCode } from "./schema";
import { signInByProvider } from "./sign-in-by-provider";

/**
 * Of what a browser brings back only this reaches next-auth. A token in the address would be taken for the one that the code
 * is exchanged for, and so let in whoever holds any token of somebody else's.
 */
const PARAMETERS = ["code", "state", "iss", "error"];

/** What a browser came back with from a provider becomes a session, a connection, or a page that says why neither. */
export async function finishProviderSignIn(ctx: Ctx, trip: RoundTrip): Promise<Response> {
  const cookies = parseCookies(trip.request.headers.get("cookie") ?? "");
  const given = new URL(trip.request.url).searchParams;
  const query = Object.fromEntries(
    PARAMETERS.flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? ""]] : [])),
  );
  const sid = await readConnectCookie({ cookies, state: query.state ?? "" }, trip.site);
  const outcome = await finish(ctx, { trip, query, sid }).catch((error: unknown) => failed(error, trip));
  const response =
    outcome instanceof Response
      ? outcome
      : new Response(null, {
          status: 302,
          headers: { location: refusalPage(trip.provider, outcome.code, sid !== null), ...outcome.headers },
        });
  if (!(outcome instanceof Response)) await recordFailure(ctx, { trip, code: outcome.code, cookies });
  response.headers.append("set-cookie", noConnectCookie(trip.site));
  return response;
}

type Failed = { code: ProviderSignInCode; headers?: Record<string, string> };
type Input = { trip: RoundTrip; query: Record<string, string>; sid: string | null };

async function finish(ctx: Ctx, { trip, query, sid }: Input): Promise<Response | Failed> {
  const { request, path, provider, rules, env, site } = trip;
  await limitRoundTrips(ctx);
  if (query.error !== undefined) return { code: failureCode(undefined, query.error) };
  if (query.code === undefined) return { code: "ProviderAnswerRejected" };
  const identities: Identity[] = [];
  const failures: unknown[] = [];
  const config = { env, organisations: rules.organisations, groups: rules.groups };
  const options = nextAuthOptions(ctx, {
    ...site,
    passwords: false,
    providers: [providerConfig(provider, { ...config, onIdentity: (identity) => identities.push(identity) })],
    admit: () => admit(ctx, { trip, sid, identity: identities[0] }),
    onFailure: (error) => failures.push(error),
  });
  const { response, errors } = await askNextAuth({ request, path, query, fields: {}, options });
  if (failures.length > 0) throw failures[0];
  if (errors[0] === undefined) return response;
  const code = failureCode(errors[0], null);
  const level = code === "SignInExpired" ? "debug" : "warn";
  logger[level]({ provider: provider.id, code, detail: errors[0].message }, "a sign-in with a provider failed");
  return { code };
}

async function admit(
  ctx: Ctx,
  { trip, sid, identity }: { trip: RoundTrip; sid: string | null; identity: Identity | undefined },
): Promise<SessionClaims | { location: string }> {
  const { provider, rules, request } = trip;
  if (identity === undefined) throw new Error("The provider has not said who it is.");
  const about = { identity, providerName: provider.name };
  if (sid === null) {
    const outcome = await signInByProvider(ctx, { ...about, rules });
    if ("refused" in outcome) return { location: refusalPage(provider, outcome.refused, false) };
    return { uid: outcome.actor.userId, sid: outcome.actor.sessionId };
  }
  const actor = await authenticateRequest(ctx, request);
  if (actor.kind !== "user" || actor.sessionId !== sid) {
    return { location: refusalPage(provider, "SessionRequired", false) };
  }
  try {
    await connectSignIn({ ...ctx, actor }, about);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    await recordProviderFailure({ ...ctx, actor }, { provider, code: "AlreadyConnected" });
    return { location: refusalPage(provider, "AlreadyConnected", true) };
  }
  return { location: `/settings?connected=${provider.id}` };
}

function failed(error: unknown, { provider }: RoundTrip): Failed {
  if (error instanceof AppError && error.code === "rate_limited") {
    return { code: "Throttled", headers: { "retry-after": String(error.retryAfterSeconds ?? 1) } };
  }
  logger.error({ provider: provider.id, err: error }, "a sign-in with a provider could not be finished");
  return { code: "Unavailable" };
}

/** Anybody can ask for the address; what a browser comes back with that was not sent from here is counted with its kind. */
async function recordFailure(
  ctx: Ctx,
  { trip, code, cookies }: { trip: RoundTrip; code: ProviderSignInCode; cookies: Map<string, string> },
): Promise<void> {
  const { provider, site, path } = trip;
  const wasBegun = cookies.has(`${site.isSecure ? "__Secure-" : ""}next-auth.state`);
  const refusal = {
    method: "GET",
    path: `/api/auth/${path.join("/")}`,
    error: new AppError(code === "Throttled" ? "rate_limited" : "forbidden", "This was not begun here.", {
      rule: code,
    }),
  };
  const write =
    wasBegun && code !== "Throttled" ? recordProviderFailure(ctx, { provider, code }) : recordRefusal(ctx, refusal);
  await write.catch((err: unknown) => logger.error({ err }, "a failed sign-in could not be recorded"));
}
