import { getEnv } from "@/lib/core/env";
import { continueTrace, formatTraceParent, parseTraceParent } from "@/lib/core/trace-context";
import { type Ctx, createCtx } from "@/lib/db/context";
import { getDatabase } from "@/lib/db/open-database";
import { isObserved } from "./observe/observe-request";

/** Set by our own listener on each request, over anything a client sends. */
export const REMOTE_ADDRESS_HEADER = "x-skillgate-remote-address";

/** A context for a request, before it is known who sent it. */
export async function createRequestCtx(request: Request, requestId: string): Promise<Ctx> {
  const given = request.headers.get("traceparent");
  // The listener has made the request a step of its trace already.
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

/** The caller's address. `X-Forwarded-For` counts only when the connection comes from a proxy the operator trusts. */
export function clientAddress(headers: Headers, trustedProxies: string): string | null {
  const remote = headers.get(REMOTE_ADDRESS_HEADER);
  const trusted = trustedProxies.split(",").map((entry) => entry.trim());
  if (remote === null || !trusted.includes(remote)) return remote;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const nearest = hops.filter((hop) => hop !== "" && !trusted.includes(hop)).at(-1);
  return nearest ?? remote;
}
