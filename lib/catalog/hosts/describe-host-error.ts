import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { readRetryAt } from "../github/rate-limit";
import { SyncFailure } from "../sync-failure";

type Context = { what: string; host: string };

/** Explains an error status of a host’s API. */
export function describeHostStatus(
  { status, headers }: Pick<Response, "status" | "headers">,
  { what, host, hasCredential, now }: Context & { hasCredential: boolean; now: Date },
): SyncFailure {
  const retryAt = readRetryAt(headers, now);
  const advice = hasCredential ? "Check the token of the source and what it may read." : "Set a token on the source.";
  switch (status) {
    case 203:
    case 401:
      return new SyncFailure("token_refused", `${host} requires a valid token to read ${what}. ${advice}`);
    case 403:
      return new SyncFailure("forbidden", `${host} does not allow reading ${what}. ${advice}`);
    case 404:
    case 410:
      return new SyncFailure(
        "not_found",
        `${host} does not find ${what}. Check its address; a private repository needs a token that may read it.`,
      );
    case 413:
      return new SyncFailure("too_large", `The answer of ${host} for ${what} is too large.`);
    case 429: {
      const until = retryAt ?? new Date(now.getTime() + 60_000);
      const text = `The rate limit of ${host} is used up until ${until.toISOString()}. It is tried again then.`;
      return new SyncFailure("rate_limited", text, { retryAt: until });
    }
    default:
      return status >= 500
        ? new SyncFailure("upstream_unavailable", `${host} answered ${status} for ${what}. Try again later.`, {
            retryAt,
          })
        : new SyncFailure("unexpected_status", `${host} answered ${status} for ${what}. Check the kind of the source.`);
  }
}

/** Explains why no complete answer arrived. */
export function describeHostError(error: unknown, { what, host }: Context): SyncFailure {
  if (error instanceof SyncFailure) return error;
  const refusal = refusalIn(error);
  if (refusal !== null) return new SyncFailure("address_not_allowed", refusal.message, { cause: error });
  if (error instanceof Error && error.name === "TimeoutError") {
    return new SyncFailure("timeout", `${host} did not answer in time for ${what}. Try again later.`, { cause: error });
  }
  const reason = innermost(error);
  return new SyncFailure(
    "connection",
    `${host} could not be reached for ${what} (${reason}). Check the server’s network and the address.`,
    { cause: error },
  );
}

function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 200);
  if (error.cause instanceof Error) return innermost(error.cause);
  return (error.message || error.name).slice(0, 200);
}
