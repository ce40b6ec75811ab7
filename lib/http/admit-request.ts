import { isAgent, isPerson } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import { continueTrace, formatTraceParent, parseTraceParent } from "@/lib/core/trace-context";
import { type Ctx, createCtx } from "@/lib/db/context";
import { getDatabase } from "@/lib/db/open-database";
import { ANONYMOUS_TOKEN } from "@/lib/distribution/oci/registry-answers";
import { cachedSettings } from "@/lib/settings/settings";
import { isObserved } from "./observe/observe-request";
import type { PlainErrors } from "./problem";

/** Set by our listener over any value of the client. */
export const REMOTE_ADDRESS_HEADER = "x-skillgate-remote-address";

/** Creates the context of a request before authentication. */
export async function createRequestCtx(request: Request, requestId: string): Promise<Ctx> {
  const given = request.headers.get("traceparent");
  // The listener has continued the trace already.
  const trace = (isObserved(request.headers) ? parseTraceParent(given) : null) ?? continueTrace(given);
  const info = {
    requestId,
    address: clientAddress(request.headers, getEnv().SKILLGATE_TRUSTED_PROXIES),
    userAgent: request.headers.get("user-agent")?.slice(0, 300) ?? null,
    traceId: trace.traceId,
    traceParent: formatTraceParent(trace),
  };
  return createCtx({ actor: { kind: "anonymous" }, database: await getDatabase(), request: info });
}

/** Address of the caller. `X-Forwarded-For` counts only behind a trusted proxy. */
export function clientAddress(headers: Headers, trustedProxies: string): string | null {
  const remote = headers.get(REMOTE_ADDRESS_HEADER);
  const trusted = trustedProxies.split(",").map((entry) => entry.trim());
  if (remote === null || !trusted.includes(remote)) return remote;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const nearest = hops.filter((hop) => hop !== "" && !trusted.includes(hop)).at(-1);
  return nearest ?? remote;
}

/**
 * Counts a request against the limits of its person and, for an agent, its token. Throws `rate_limited`. Adds the
 * stricter limit to `headers`.
 */
export async function limitRequests(ctx: Ctx, headers: Headers): Promise<void> {
  const { actor } = ctx;
  if (!isPerson(actor)) return;
  const { requestsPerMinute, agentRequestsPerMinute } = await cachedSettings(ctx);
  let strictest = await takeFromLimit("requests-person", actor.userId, requestsPerMinute);
  if (isAgent(actor)) {
    const ofToken = await takeFromLimit("requests-token", actor.tokenId, agentRequestsPerMinute);
    if (!ofToken.allowed || ofToken.remaining < strictest.remaining) strictest = ofToken;
  }
  for (const [name, value] of Object.entries(limitFields(strictest))) headers.set(name, value);
  if (strictest.allowed) return;
  throw new AppError(
    "rate_limited",
    `More than ${strictest.limit} requests in a minute. Try again in ${strictest.resetSeconds} s.`,
    { retryAfterSeconds: strictest.resetSeconds },
  );
}

/**
 * Refuses cookie-authenticated writes from other sites. Browsers send `Sec-Fetch-Site`; without it `Origin` must be
 * this server's. `Origin: null`, or neither header, is refused.
 */
export function assertSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = request.headers.get("origin");
  if (site === null && origin !== null && allowedOrigins(request, publicUrl).includes(origin)) return;
  throw new AppError("cross_origin", "This change came from another site. Use the pages of this server.");
}

function allowedOrigins(request: Request, publicUrl: string): string[] {
  const host = request.headers.get("host");
  const own = new URL(publicUrl).origin;
  return host === null ? [own] : [own, `${new URL(publicUrl).protocol}//${host}`];
}

/** The request with its credentials as a bearer token, from where clients of this protocol send them. */
export function asBearer(request: Request, plain: PlainErrors | undefined): Request {
  const authorization = authorizationOf(request, plain);
  if (authorization === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("authorization", authorization);
  // Not `new Request(request)`, which Node cannot copy from the adapter's object.
  const { url, method, body, signal } = request;
  return new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
}

/** Undefined where the request has its own header or none. */
function authorizationOf(request: Request, plain: PlainErrors | undefined): string | undefined {
  if (plain === "registry" && isAnonymousPull(request)) return "";
  const isBasic = plain === "git" || plain === "registry";
  const token = isBasic ? basicPassword(request) : plain === "skills-api" ? apiKey(request) : undefined;
  return token === undefined ? undefined : `Bearer ${token.replace(/[^\x21-\x7e]/g, "")}`;
}

/** `:` in Base64, which skopeo sends without credentials. */
const NO_CREDENTIALS = "Og==";

/** An anonymous token, or neither a name nor a password: such a caller need not be asked to sign in again. */
function isAnonymousPull(request: Request): boolean {
  const [scheme = "", credentials] = (request.headers.get("authorization") ?? "").split(/ +/, 2);
  const anonymous: Record<string, string> = { bearer: ANONYMOUS_TOKEN, basic: NO_CREDENTIALS };
  return credentials !== undefined && anonymous[scheme.toLowerCase()] === credentials;
}

/** The password of Basic authentication (RFC 7617), or the name without one. */
function basicPassword(request: Request): string | undefined {
  const credentials = /^basic +([A-Za-z0-9+/=]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (credentials === undefined) return undefined;
  const [name = "", ...rest] = Buffer.from(credentials, "base64").toString("utf8").split(":");
  return rest.join(":") || name;
}

/** The header `x-api-key`, which wins over a bearer token: clients send both when a variable of the user sets the other. */
function apiKey(request: Request): string | undefined {
  return request.headers.get("x-api-key") ?? undefined;
}
