import { getEnv } from "@/lib/core/env";
import { type Ctx, createCtx } from "@/lib/db/context";
import { clientAddress } from "./client-address";
import { getDatabase } from "./server-database";

/** W3C Trace Context, version 00: of it, the trace. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A context for a request, before it is known who sent it. */
export async function openCtx(request: Request, requestId: string): Promise<Ctx> {
  const info = {
    requestId,
    address: clientAddress(request.headers, getEnv().SKILLGATE_TRUSTED_PROXIES),
    userAgent: request.headers.get("user-agent")?.slice(0, 300) ?? null,
    traceId: TRACE_PARENT.exec(request.headers.get("traceparent") ?? "")?.[1] ?? null,
  };
  return createCtx({ actor: { kind: "anonymous" }, database: await getDatabase(), request: info });
}
