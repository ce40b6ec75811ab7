import { ApiError } from "@/lib/client/api";

/** Whether the answer says that a one-time link is unknown, used or expired, as opposed to what was typed. */
export function isDeadLink(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404, 409, 410].includes(error.status) && error.code !== "cross_origin";
}
