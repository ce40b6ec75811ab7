import { getEnv } from "@/lib/core/env";
import { continueTrace, formatTraceParent, parseTraceParent } from "@/lib/core/trace-context";
import { type Ctx, createCtx } from "@/lib/db/context";
import { clientAddress } from "./client-address";
import { isObserved } from "./observe/in-flight";
import { getDatabase } from "./server-database";

/** A context for a request, before it is known who sent it. */
export async function openCtx(request: Request, requestId: string): Promise<Ctx> {
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
