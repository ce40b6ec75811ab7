import type { AppError } from "@/lib/core/errors";
import { ANONYMOUS_TOKEN, registryErrorResponse } from "@/lib/distribution/oci/registry-answers";
import { problemResponse } from "./problem";

/**
 * `text`: one plain sentence, for programs that print the body of an error. `git`: the same, with Basic authentication.
 * `skills-api`: the JSON of Anthropic's API, with its key header. `registry`: the form of the OCI distribution
 * specification, with Basic authentication and anonymous tokens.
 */
export type PlainErrors = "text" | "git" | "skills-api" | "registry";

/** Error types of Anthropic's API by status; other statuses below 500 are `invalid_request_error`. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
};

/** Answers an error as a problem document, or in the form of a protocol. Git asks for a password after a 401 with its header. */
export function errorResponse(error: AppError, requestId: string, plain: PlainErrors | undefined): Response {
  if (plain === "skills-api") return skillsApiError(error, requestId);
  const problem = problemResponse(error, requestId);
  if (plain === undefined) return problem;
  if (plain === "registry") return registryErrorResponse(error, problem.headers);
  const { status, headers } = problem;
  headers.set("content-type", "text/plain; charset=utf-8");
  headers.set("x-content-type-options", "nosniff");
  if (plain === "git" && status === 401) headers.set("www-authenticate", 'Basic realm="Skillgate", charset="UTF-8"');
  return new Response(`${error.message}\n`, { status, headers });
}

/** The request with its credentials as a bearer token, from where clients of this protocol send them. */
export function asBearer(request: Request, plain: PlainErrors | undefined): Request {
  const authorization = authorizationOf(request, plain);
  if (authorization === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("authorization", authorization);
  // Not `new Request(request)`, which Node cannot copy from the adapter's object.
  const { url, method, body, signal } = request;
  return new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
}

/** Undefined where the request has its own header or none. */
function authorizationOf(request: Request, plain: PlainErrors | undefined): string | undefined {
  if (plain === "registry" && isAnonymousPull(request)) return "";
  const isBasic = plain === "git" || plain === "registry";
  const token = isBasic ? basicPassword(request) : plain === "skills-api" ? apiKey(request) : undefined;
  return token === undefined ? undefined : `Bearer ${token.replace(/[^\x21-\x7e]/g, "")}`;
}

/** `:` in Base64, which skopeo sends without credentials. */
const NO_CREDENTIALS = "Og==";

/** An anonymous token, or neither a name nor a password: such a caller need not be asked to sign in again. */
function isAnonymousPull(request: Request): boolean {
  const [scheme = "", credentials] = (request.headers.get("authorization") ?? "").split(/ +/, 2);
  const anonymous: Record<string, string> = { bearer: ANONYMOUS_TOKEN, basic: NO_CREDENTIALS };
  return credentials !== undefined && anonymous[scheme.toLowerCase()] === credentials;
}

/** The password of Basic authentication (RFC 7617), or the name without one. */
function basicPassword(request: Request): string | undefined {
  const credentials = /^basic +([A-Za-z0-9+/=]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (credentials === undefined) return undefined;
  const [name = "", ...rest] = Buffer.from(credentials, "base64").toString("utf8").split(":");
  return rest.join(":") || name;
}

/** The header `x-api-key`, which wins over a bearer token: clients send both when a variable of the user sets the other. */
function apiKey(request: Request): string | undefined {
  return request.headers.get("x-api-key") ?? undefined;
}

/**
 * Answers an error in the form of Anthropic's API (platform.claude.com/docs/en/api/errors). That API has no 410: its
 * clients get 404 for what was withdrawn.
 */
function skillsApiError(error: AppError, requestId: string): Response {
  const { status: own, headers } = problemResponse(error, requestId);
  const status = error.code === "gone" ? 404 : own;
  const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  headers.set("content-type", "application/json");
  headers.set("request-id", requestId);
  const hint = status === 401 ? " The key of this API is a token of this server (sgt_…)." : "";
  const body = { type: "error", error: { type, message: error.message + hint }, request_id: requestId };
  return new Response(JSON.stringify(body), { status, headers });
}
