import { resourceMetadataAddress } from "@/lib/auth/oauth/describe-oauth";
import { OAuthScope } from "@/lib/auth/oauth/schema";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import type { RouteHandler } from "./route";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Refuses pages of other sites, which could reach a local server by a host name of their own (DNS rebinding). Programs
 * send no `Origin`. A server for this machine only, which listens on a loopback address and has no other `PUBLIC_URL`, refuses
 * other host names too.
 */
export function assertOwnOrigin(request: Request, publicUrl: string, listensOn: string): void {
  const origin = request.headers.get("origin");
  const host = request.headers.get("host")?.replace(/:\d+$/, "") ?? null;
  const { protocol, hostname, port } = new URL(publicUrl);
  const names = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  const isLocal = names === LOOPBACK && LOOPBACK.includes(listensOn.replace(/^::1$/, "[::1]"));
  if (isLocal && host !== null && !LOOPBACK.includes(host)) {
    const message = `This server answers ${hostname} only. Set PUBLIC_URL if clients reach it under another name.`;
    throw new AppError("cross_origin", message);
  }
  const own = names.map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`);
  if (origin === null || own.includes(origin)) return;
  throw new AppError("cross_origin", "A page of another site may not use this address.");
}

/** Adds the metadata URL for OAuth to 401 answers (RFC 9728, section 5.1). */
export function challenging(handler: RouteHandler): RouteHandler {
  const challenged = async (...[request, context]: Parameters<RouteHandler>) => {
    const response = await handler(request, context);
    if (response.status === 401) {
      const problem = request.headers.has("authorization") ? 'error="invalid_token", ' : "";
      const address = resourceMetadataAddress(getEnv().publicUrl);
      const scope = OAuthScope.options.join(" ");
      response.headers.set("www-authenticate", `Bearer ${problem}resource_metadata="${address}", scope="${scope}"`);
    }
    return response;
  };
  return Object.assign(challenged, { definition: handler.definition });
}
