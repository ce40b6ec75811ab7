import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import type { Env } from "@/lib/core/env";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { sha256Hex } from "@/lib/core/hash";
import { requireFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import type { SignInRules } from "@/lib/policy/admit-identity";
import type { Provider } from "./read-providers";
import type { ProviderSignInCode } from "./schema";

/** Requests of round trips that one address may send in a minute; each asks the provider something. */
const LIMIT_PER_MINUTE = FIXED_LIMITS.providerSignIns.perMinute;

/** One of the two requests of a sign-in with a provider: the one that begins it, or the one that the browser comes back with. */
export type RoundTrip = {
  request: Request;
  path: string[];
  rules: SignInRules;
  provider: Provider;
  env: Env;
  site: { secret: string; isSecure: boolean; url: string };
};

/** The page that says why it did not happen: the profile for somebody who is signed in and wanted to connect, else sign-in. */
export function failurePage(provider: Provider, code: ProviderSignInCode, isConnecting: boolean): string {
  const query = new URLSearchParams({ error: code, provider: provider.id });
  return `${isConnecting ? "/settings" : "/sign-in"}?${query}`;
}

/** Counts the request against what its address may send; else `rate_limited`. */
export async function limitRoundTrips(ctx: Ctx): Promise<void> {
  const message = (seconds: number) => `Too many sign-ins from here; try again in ${seconds} s.`;
  await requireFromLimit("provider-sign-in", ctx.request.address ?? "unknown", { limit: LIMIT_PER_MINUTE, message });
}

const LIFETIME_SECONDS = 15 * 60;
const Claims = z.object({ sid: z.string(), state: z.string() });

type Config = { secret: string; isSecure: boolean };

function nameOf({ isSecure }: Config): string {
  return `${isSecure ? "__Secure-" : ""}skillgate.connect`;
}

/**
 * The cookie that says that this round trip, named by its `state`, is to connect an account with the person of this session
 * and not to sign somebody in. It lives as long as next-auth's own cookies of a round trip.
 */
export async function connectCookie(given: { sid: string; state: string }, config: Config): Promise<string> {
  const name = nameOf(config);
  const token = { sid: given.sid, state: sha256Hex(given.state) };
  const value = await encode({ token, secret: config.secret, salt: name, maxAge: LIFETIME_SECONDS });
  return `${name}=${value}; ${attributes(config)}; Max-Age=${LIFETIME_SECONDS}`;
}

/** Takes the cookie back, whatever it said. */
export function clearConnectCookie(config: Config): string {
  return `${nameOf(config)}=; ${attributes(config)}; Max-Age=0`;
}

/** The session that asked to connect with the round trip of this `state`; null when none did, or it was too long ago. */
export async function readConnectCookie(
  given: { cookies: Map<string, string>; state: string },
  config: Config,
): Promise<string | null> {
  const name = nameOf(config);
  const value = given.cookies.get(name);
  if (value === undefined) return null;
  try {
    const claims = Claims.parse(await decode({ token: value, secret: config.secret, salt: name }));
    return claims.state === sha256Hex(given.state) ? claims.sid : null;
  } catch {
    return null;
  }
}

function attributes({ isSecure }: Config): string {
  return `Path=/api/auth/callback; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
