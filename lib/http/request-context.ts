import { getEnv } from "@/lib/core/env";
import { continueTrace, formatTraceParent, parseTraceParent } from "@/lib/core/trace-context";
import { type Ctx, createCtx } from "@/lib/db/context";
import { getDatabase } from "@/lib/db/open-database";
import { isObserved } from "./observe/observe-request";

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
