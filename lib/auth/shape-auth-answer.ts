import { AppError } from "@/lib/core/errors";

type Shape = {
  /** The request asked for `{url}` instead of a redirect. */
  wantsJson: boolean;
  siteUrl: string;
  /** What a callback threw, if one did. */
  failure: unknown;
};

/** next-auth’s answer with the status that fits: its own is a redirect, or 200, even for what it refused. */
export function shapeAuthAnswer(response: Response, { wantsJson, siteUrl, failure }: Shape): Response {
  const isThrottled = failure instanceof AppError && failure.code === "rate_limited";
  if (failure !== undefined && !isThrottled) throw failure;
  if (isThrottled) response.headers.set("retry-after", String(failure.retryAfterSeconds ?? 1));
  const location = response.headers.get("location");
  if (location === null) return response;
  const { origin, pathname, searchParams } = new URL(location, siteUrl);
  const isOurs = origin === new URL(siteUrl).origin && pathname.startsWith("/api/auth/");
  if (isOurs && searchParams.has("csrf")) {
    throw new AppError("forbidden", "Send the csrfToken that GET /api/auth/csrf answers, and the cookie it sets.");
  }
  if (!wantsJson) return response;
  const headers = new Headers(response.headers);
  headers.delete("location");
  headers.set("content-type", "application/json");
  const status = isThrottled ? 429 : isOurs && searchParams.has("error") ? 401 : 200;
  return new Response(JSON.stringify({ url: location }), { status, headers });
}
