import type { AppError } from "@/lib/core/errors";
import { problemResponse } from "./problem";

/** `text`: one plain sentence, for programs that print the body of an error. `git`: the same, with Basic authentication. */
export type PlainErrors = "text" | "git";

/** Answers an error as a problem document, or as plain text. Git asks for a password after a 401 with its header. */
export function errorResponse(error: AppError, requestId: string, plain: PlainErrors | undefined): Response {
  const problem = problemResponse(error, requestId);
  if (plain === undefined) return problem;
  const { status, headers } = problem;
  headers.set("content-type", "text/plain; charset=utf-8");
  headers.set("x-content-type-options", "nosniff");
  if (plain === "git" && status === 401) headers.set("www-authenticate", 'Basic realm="Skillgate", charset="UTF-8"');
  return new Response(`${error.message}\n`, { status, headers });
}

/** Uses the password of Basic authentication (RFC 7617), or the name without one, as bearer token. */
export function asBearer(request: Request): Request {
  const credentials = /^basic +([A-Za-z0-9+/=]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (credentials === undefined) return request;
  const [name = "", ...rest] = Buffer.from(credentials, "base64").toString("utf8").split(":");
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${(rest.join(":") || name).replace(/[^\x21-\x7e]/g, "")}`);
  // Not `new Request(request)`, which Node cannot copy from the adapter's object.
  const { url, method, body, signal } = request;
  return new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
}
