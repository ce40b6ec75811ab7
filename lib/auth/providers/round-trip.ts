import type { Env } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
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
export function refusalPage(provider: Provider, code: ProviderSignInCode, isConnecting: boolean): string {
  const query = new URLSearchParams({ error: code, provider: provider.id });
  return `${isConnecting ? "/settings" : "/sign-in"}?${query}`;
}

/** Counts the request against what its address may send; else `rate_limited`. */
export async function limitRoundTrips(ctx: Ctx): Promise<void> {
  const taken = await takeFromLimit("provider-sign-in", ctx.request.address ?? "unknown", LIMIT_PER_MINUTE);
  if (taken.allowed) return;
  throw new AppError("rate_limited", `Too many sign-ins from here; try again in ${taken.resetSeconds} s.`, {
    retryAfterSeconds: taken.resetSeconds,
    headers: limitFields(taken),
  });
}
