import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { isStorageFull } from "@/lib/core/free-space";
import type { Problem } from "@/lib/core/schema";
import { registryErrorResponse } from "@/lib/distribution/oci/registry-answers";
import { jsonAnswer } from "./json-answer";

const CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // PostgreSQL: shutdown, start, too many connections, lock and idle time-outs, connection failures.
  ...["57P01", "57P02", "57P03", "53300", "55P03", "25P03", "08000", "08001", "08003", "08004", "08006"],
  // PostgreSQL and Prisma: failed to serialize, or deadlocked, although repeated.
  ...["40001", "40P01", "P2034"],
  // Prisma: unreachable, timed out, closed, no free connection.
  ...["P1001", "P1002", "P1008", "P1017", "P2024"],
]);
const MESSAGES =
  /SQLITE_BUSY|database is locked|SocketTimeout|Connection terminated|connection error|not queryable|Client was closed/i;

/** RFC 9457 answer. `type` is a relative reference to the API page, which explains each code. */
export function problemResponse(error: AppError, requestId: string): Response {
  const body: Problem = {
    type: `/docs/api#${error.code}`,
    title: error.code.replaceAll("_", " "),
    status: error.status,
    code: error.code,
    detail: error.message,
    requestId,
    ...(error.rule ? { rule: error.rule } : {}),
    ...(error.errors ? { errors: error.errors } : {}),
  };
  const headers = new Headers({
    ...error.headers,
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  });
  if (error.retryAfterSeconds !== undefined) headers.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
  if (error.status === 401) headers.set("www-authenticate", "Bearer");
  return jsonAnswer(JSON.stringify(body), { status: error.status, headers });
}

/** Returns an AppError unchanged; maps any other error, which is logged as the cause only. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isStorageFull(thrown, getEnv().dataDir)) {
    return new AppError("storage_full", "The disk of the server is full. Nothing was stored. Try again later.", {
      retryAfterSeconds: 30,
      cause: thrown,
    });
  }
  if (isDatabaseUnavailable(thrown)) {
    return new AppError("unavailable", "The database is busy or cannot be reached. Try again.", {
      retryAfterSeconds: 1,
      cause: thrown,
    });
  }
  return new AppError(
    "internal",
    "The server failed to handle the request. Its operator finds the reason in the log by the request id.",
    {
      cause: thrown,
    },
  );
}

/** Whether this error, or one of its causes, means that the database is temporarily unavailable. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 6; error = error.cause, depth++) {
    if ("code" in error && typeof error.code === "string" && CODES.has(error.code)) return true;
    if (MESSAGES.test(error.message)) return true;
    if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}

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
