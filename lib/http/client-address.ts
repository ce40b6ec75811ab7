/** Set by our own listener on each request, over anything a client sends. */
export const REMOTE_ADDRESS_HEADER = "x-skillgate-remote-address";

/** The caller's address. `X-Forwarded-For` counts only when the connection comes from a proxy the operator trusts. */
export function clientAddress(headers: Headers, trustedProxies: string): string | null {
  const remote = headers.get(REMOTE_ADDRESS_HEADER);
  const trusted = trustedProxies.split(",").map((entry) => entry.trim());
  if (remote === null || !trusted.includes(remote)) return remote;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const nearest = hops.filter((hop) => hop !== "" && !trusted.includes(hop)).at(-1);
  return nearest ?? remote;
}
