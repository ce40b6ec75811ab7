import { getEnv } from "@/lib/core/env";
import { type Ctx, createCtx } from "@/lib/db/context";
import { clientAddress } from "./client-address";
import { getDatabase } from "./server-database";

/** A context for a request, before it is known who sent it. */
export async function openCtx(request: Request, requestId: string): Promise<Ctx> {
  const info = {
    requestId,
    address: clientAddress(request.headers, getEnv().SKILLGATE_TRUSTED_PROXIES),
    userAgent: request.headers.get("user-agent")?.slice(0, 300) ?? null,
  };
  return createCtx({ actor: { kind: "anonymous" }, database: await getDatabase(), request: info });
}
