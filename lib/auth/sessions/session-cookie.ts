import type { Env } from "@/lib/core/env";

/** Lifetime of a session, independent of its use. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Whether cookies have the `Secure` attribute and name prefix: with an https address. */
export function usesSecureCookies(env: Env): boolean {
  return (env.NEXTAUTH_URL ?? env.publicUrl).startsWith("https://");
}

/**
 * The encrypted session in a `Cookie` header, or null. It may be split into `name.0`, `name.1`, …. The cookie name of
 * the other scheme is ignored, so that a cookie set over http never counts on https.
 */
export function readSessionCookie(header: string | null, isSecure: boolean): string | null {
  const name = `${isSecure ? "__Secure-" : ""}next-auth.session-token`;
  const cookies = parseCookies(header ?? "");
  const whole = cookies.get(name);
  if (whole !== undefined) return whole;
  const chunks: string[] = [];
  for (let chunk = cookies.get(`${name}.0`); chunk !== undefined; chunk = cookies.get(`${name}.${chunks.length}`)) {
    chunks.push(chunk);
  }
  return chunks.length > 0 ? chunks.join("") : null;
}

/** Parses a `Cookie` header; the first of equal names wins. */
export function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at < 1) continue;
    const name = pair.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}
