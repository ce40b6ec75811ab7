import { recordEvent } from "@/lib/audit/record-event";
import { recordRefusal } from "@/lib/audit/record-refusal";
import { getUserRow } from "@/lib/auth/people/users";
import { PersonName } from "@/lib/auth/schema";
import { authenticateRequest, type SessionClaims } from "@/lib/auth/sessions/authenticate-request";
import { callNextAuth, nextAuthOptions } from "@/lib/auth/sessions/next-auth-options";
import { parseCookies } from "@/lib/auth/sessions/session-cookie";
import { startSession } from "@/lib/auth/sessions/sessions";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { User } from "@/lib/db/generated/client";
import {
  decideSignIn,
  type Identity,
  type JoinRules,
  type SignInDecision,
  type SignInRefusal,
} from "@/lib/policy/decide-sign-in";
import { addConnection, connectSignIn } from "./connected-sign-ins";
import { providerConfig } from "./provider-config";
import { describeIdentity, failureCode, recordProviderFailure } from "./provider-failures";
import { clearConnectCookie, failurePage, limitRoundTrips, type RoundTrip, readConnectCookie } from "./round-trip";
import type { ProviderSignInCode } from "./schema";

/** next-auth would take a token in the address for the result of the code exchange, so only these reach it. */
const PARAMETERS = ["code", "state", "iss", "error"];

/** Turns the provider's redirect into a session, a connection, or a page with the reason of the failure. */
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
          headers: { location: failurePage(trip.provider, outcome.code, sid !== null), ...outcome.headers },
        });
  if (!(outcome instanceof Response)) await recordFailure(ctx, { trip, code: outcome.code, cookies });
  response.headers.append("set-cookie", clearConnectCookie(trip.site));
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
  const { response, errors } = await callNextAuth({ request, path, query, fields: {}, options });
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
  if (identity === undefined) throw new Error("The provider returned no identity.");
  const about = { identity, providerName: provider.name };
  if (sid === null) {
    const outcome = await signInByProvider(ctx, { ...about, rules });
    if ("refused" in outcome) return { location: failurePage(provider, outcome.refused, false) };
    return { uid: outcome.actor.userId, sid: outcome.actor.sessionId };
  }
  const actor = await authenticateRequest(ctx, request);
  if (actor.kind !== "user" || actor.sessionId !== sid) {
    return { location: failurePage(provider, "SessionRequired", false) };
  }
  try {
    await connectSignIn({ ...ctx, actor }, about);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    await recordProviderFailure({ ...ctx, actor }, { provider, code: "AlreadyConnected" });
    return { location: failurePage(provider, "AlreadyConnected", true) };
  }
  return { location: `/settings?connected=${provider.id}` };
}

function failed(error: unknown, { provider }: RoundTrip): Failed {
  if (error instanceof AppError && error.code === "rate_limited") {
    return { code: "Throttled", headers: { "retry-after": String(error.retryAfterSeconds ?? 1) } };
  }
  logger.error({ provider: provider.id, err: error }, "a sign-in with a provider failed");
  return { code: "Unavailable" };
}

/** Any client can request this address, so answers to sign-ins that did not begin here are recorded in bulk. */
async function recordFailure(
  ctx: Ctx,
  { trip, code, cookies }: { trip: RoundTrip; code: ProviderSignInCode; cookies: Map<string, string> },
): Promise<void> {
  const { provider, site, path } = trip;
  const wasBegun = cookies.has(`${site.isSecure ? "__Secure-" : ""}next-auth.state`);
  const refusal = {
    method: "GET",
    path: `/api/auth/${path.join("/")}`,
    error: new AppError(code === "Throttled" ? "rate_limited" : "forbidden", "This sign-in did not begin here.", {
      rule: code,
    }),
  };
  const write =
    wasBegun && code !== "Throttled" ? recordProviderFailure(ctx, { provider, code }) : recordRefusal(ctx, refusal);
  await write.catch((err: unknown) => logger.error({ err }, "a failed sign-in could not be recorded"));
}

type ProviderSignIn = { actor: Extract<PersonActor, { kind: "user" }> } | { refused: SignInRefusal };

async function signInByProvider(
  ctx: Ctx,
  { identity, providerName, rules }: { identity: Identity; providerName: string; rules: JoinRules },
): Promise<ProviderSignIn> {
  const { issuer, subject, email } = identity;
  return inTransaction(ctx, async (tx, txCtx) => {
    const connection = await tx.connectedSignIn.findUnique({
      where: { issuer_subject: { issuer, subject } },
      include: { user: true },
    });
    const connected = connection?.user ?? null;
    const sameEmail = email === null ? null : await tx.user.findUnique({ where: { email } });
    const admission = decideSignIn({ identity, connected, sameEmail, rules });
    if (admission.kind === "refuse") {
      const target = connected ?? sameEmail;
      await recordEvent(tx, txCtx, {
        action: "sign_in.fail",
        outcome: "refused",
        summary: `failed to sign in with ${providerName}`,
        rule: admission.code,
        ...(target ? { target: { kind: "user", id: target.id, name: target.name } } : {}),
        data: describeIdentity(identity),
      });
      return { refused: admission.code };
    }
    const user = await admitUser(txCtx, { admission, identity, providerName });
    await tx.connectedSignIn.update({
      where: { issuer_subject: { issuer, subject } },
      data: { lastUsedAt: ctx.now(), label: identity.label },
    });
    return { actor: await startSession(txCtx, user, { by: providerName, data: describeIdentity(identity) }) };
  });
}

type Admitted = Exclude<SignInDecision, { kind: "refuse" }>;
type Entry<A extends Admitted = Admitted> = { admission: A; identity: Identity; providerName: string };

async function admitUser(ctx: Ctx, { admission, identity, providerName }: Entry): Promise<User> {
  if (admission.kind === "join") return join(ctx, { admission, identity, providerName });
  const user = await getUserRow(ctx, admission.userId);
  if (admission.kind === "enter") return user;
  if (admission.kind === "accept") await acceptInvitation(ctx, user, providerName);
  await addConnection(ctx, { user, identity, providerName });
  return user;
}

/** Activates the invited person with the role of the invitation, whose link becomes invalid. */
async function acceptInvitation(ctx: Ctx, user: User, providerName: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    await tx.oneTimeToken.updateMany({ where: { userId: user.id, usedAt: null }, data: { usedAt: at } });
    await tx.user.update({ where: { id: user.id }, data: { state: "active", updatedAt: at } });
    await recordJoin(txCtx, user, `accepted the invitation of ${user.name} by signing in with ${providerName}`);
  });
}

/** Adds a new person with the role user: providers never assign roles. */
async function join(
  ctx: Ctx,
  { admission, identity, providerName }: Entry<Admitted & { kind: "join" }>,
): Promise<User> {
  const { email } = identity;
  if (email === null) throw new Error("A new person needs a verified email address.");
  return inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const name = PersonName.safeParse(identity.name.slice(0, 100)).data ?? email.slice(0, 100);
    const user = await tx.user.create({
      data: { id: newId(), email, name, role: "user", state: "active", createdAt: at, updatedAt: at },
    });
    await recordJoin(txCtx, user, `joined as ${name} by signing in with ${providerName}, by ${admission.by}`);
    await addConnection(txCtx, { user, identity, providerName });
    return user;
  });
}

function recordJoin(ctx: Ctx, user: User, summary: string): Promise<void> {
  return inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "user.join",
      summary,
      target: { kind: "user", id: user.id, name: user.name },
      data: { email: user.email, role: user.role },
    }),
  );
}
