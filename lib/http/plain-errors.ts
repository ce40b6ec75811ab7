import { Problem } from "@/lib/core/schema";
import type { RouteHandler } from "./route";

/** Answers problems as one plain sentence, for programs that print the body of an error. */
export function plainErrors(handler: RouteHandler): RouteHandler {
  const plain = async (...[request, context]: Parameters<RouteHandler>): Promise<Response> =>
    withSentence(await handler(request, context));
  return Object.assign(plain, { definition: handler.definition });
}

/**
 * Same for git, which signs in with name and password (RFC 7617): the password, or the name without one, is used as
 * bearer token, and a 401 asks for them.
 */
export function plainErrorsForGit(handler: RouteHandler): RouteHandler {
  const plain = async (...[request, context]: Parameters<RouteHandler>): Promise<Response> => {
    const response = await withSentence(await handler(asBearer(request), context));
    if (response.status === 401) response.headers.set("www-authenticate", 'Basic realm="Skillgate", charset="UTF-8"');
    return response;
  };
  return Object.assign(plain, { definition: handler.definition });
}

async function withSentence(response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("application/problem+json")) return response;
  const { detail } = Problem.parse(await response.json());
  const headers = new Headers(response.headers);
  headers.set("content-type", "text/plain; charset=utf-8");
  headers.set("x-content-type-options", "nosniff");
  return new Response(`${detail}\n`, { status: response.status, headers });
}

function asBearer(request: Request): Request {
  const credentials = /^basic +([A-Za-z0-9+/=]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (credentials === undefined) return request;
  const [name = "", ...rest] = Buffer.from(credentials, "base64").toString("utf8").split(":");
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${(rest.join(":") || name).replace(/[^\x21-\x7e]/g, "")}`);
  // Not `new Request(request)`, which Node cannot copy from the adapter's object.
  const { url, method, body, signal } = request;
  return new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
}
