import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { isStorageFull } from "@/lib/core/free-space";
import type { Problem } from "@/lib/core/schema";
import { isDatabaseUnavailable } from "@/lib/db/is-database-unavailable";
import { jsonAnswer } from "./json-answer";

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
