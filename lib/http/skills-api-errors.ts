import type { AppError } from "@/lib/core/errors";
import { problemResponse } from "./problem";

/** Error types of Anthropic's API by status; other statuses below 500 are `invalid_request_error`. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
};

/**
 * Answers an error in the form of Anthropic's API (platform.claude.com/docs/en/api/errors). That API has no 410: its
 * clients get 404 for what was withdrawn.
 */
export function skillsApiError(error: AppError, requestId: string): Response {
  const { status: own, headers } = problemResponse(error, requestId);
  const status = error.code === "gone" ? 404 : own;
  const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  headers.set("content-type", "application/json");
  headers.set("request-id", requestId);
  const hint = status === 401 ? " The key of this API is a token of this server (sgt_…)." : "";
  const body = { type: "error", error: { type, message: error.message + hint }, request_id: requestId };
  return new Response(JSON.stringify(body), { status, headers });
}
