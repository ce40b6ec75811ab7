import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import type { Env } from "@/lib/core/env";
import { sha256Hex } from "@/lib/core/hash";
import { FIXED_LIMITS, requireFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import type { SignInRules } from "@/lib/policy/decide-sign-in";
import type { Provider } from "./read-providers";
import type { ProviderSignInCode } from "./schema";

/** Maximum requests per minute and address; each causes a request to the provider. */
const LIMIT_PER_MINUTE = FIXED_LIMITS.providerSignIns.perMinute;

/** One of the two requests of a provider sign-in: the start, or the redirect back. */
export type RoundTrip = {
  request: Request;
  path: string[];
  rules: SignInRules;
  provider: Provider;
  env: Env;
  site: { secret: string; isSecure: boolean; url: string };
};

/** Address of the page with the reason of the failure: the profile when connecting, else sign-in. */
export function failurePage(provider: Provider, code: ProviderSignInCode, isConnecting: boolean): string {
  const query = new URLSearchParams({ error: code, provider: provider.id });
  return `${isConnecting ? "/settings" : "/sign-in"}?${query}`;
}

/** Counts the request against the limit of its address; else `rate_limited`. */
export async function limitRoundTrips(ctx: Ctx): Promise<void> {
  const message = (seconds: number) => `Too many sign-ins from your address. Try again in ${seconds} s.`;
  await requireFromLimit("provider-sign-in", ctx.request.address ?? "unknown", { limit: LIMIT_PER_MINUTE, message });
}

const LIFETIME_SECONDS = 15 * 60;
const Claims = z.object({ sid: z.string(), state: z.string() });

type Config = { secret: string; isSecure: boolean };

function nameOf({ isSecure }: Config): string {
  return `${isSecure ? "__Secure-" : ""}skillgate.connect`;
}

/** Cookie that marks a sign-in, by its `state`, as connecting an account with the person of this session. */
export async function connectCookie(given: { sid: string; state: string }, config: Config): Promise<string> {
  const name = nameOf(config);
  const token = { sid: given.sid, state: sha256Hex(given.state) };
  const value = await encode({ token, secret: config.secret, salt: name, maxAge: LIFETIME_SECONDS });
  return `${name}=${value}; ${attributes(config)}; Max-Age=${LIFETIME_SECONDS}`;
}

/** Clears the cookie. */
export function clearConnectCookie(config: Config): string {
  return `${nameOf(config)}=; ${attributes(config)}; Max-Age=0`;
}

/** The session that started this connection; null for other sign-ins, and after it expired. */
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
