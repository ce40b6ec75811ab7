import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";

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
export function noConnectCookie(config: Config): string {
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
