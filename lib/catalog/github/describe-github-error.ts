import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { SyncFailure } from "../sync-failure";
import { TOO_LARGE_STATUS } from "./guarded-fetch";
import { readRetryAt } from "./rate-limit";

/** The status that stands for an address that was refused here; GitHub has no use for it. */
export const NOT_ALLOWED_STATUS = 421;

type Context = { what: string; hasToken: boolean; now: Date };
type Refusal = { status: number; headers: Headers; message: string };

/** What an answer with an error status means. `what` names what was asked for, as in “the repository acme/skills”. */
export function describeErrorStatus(
  { status, headers, message }: Refusal,
  { what, hasToken, now }: Context,
): SyncFailure {
  const fail = (code: SyncFailure["code"], text: string, retryAt: Date | null = null) =>
    new SyncFailure(code, text, { retryAt: retryAt ?? (status >= 500 ? readRetryAt(headers, now) : null) });
  const retryAt = readRetryAt(headers, now);
  if (status === 429 || (status === 403 && (retryAt !== null || /rate limit|abuse/i.test(message)))) {
    const until = retryAt ?? new Date(now.getTime() + 60_000);
    const hint = hasToken ? "" : " A token raises the limit.";
    return fail("rate_limited", `GitHub’s rate limit is used up until ${until.toISOString()}.${hint}`, until);
  }
  switch (status) {
    case 401:
      return fail("token_refused", hasToken ? "GitHub refused the stored token." : "GitHub asks for a token.");
    case 403:
      return fail("forbidden", `GitHub forbids reading ${what}${quote(message)}.`);
    case 404:
    case 410: {
      const hint = hasToken ? "the stored token cannot see it" : "it is private and no token is set";
      return fail("not_found", `GitHub does not find ${what}: it does not exist, or ${hint}.`);
    }
    case 409:
      return fail("empty", `GitHub says that ${what} is empty or not ready${quote(message)}.`);
    case TOO_LARGE_STATUS:
      return fail("too_large", `What GitHub sent for ${what} is too large${quote(message)}.`);
    case NOT_ALLOWED_STATUS:
      return fail("address_not_allowed", message);
    case 422:
      return fail("ref_not_found", `GitHub cannot make sense of ${what}${quote(message)}.`);
    case 451:
      return fail("legal_block", `GitHub has blocked ${what} for legal reasons.`);
    default:
      return status >= 500
        ? fail("upstream_unavailable", `GitHub answered ${status} for ${what}.`)
        : fail("unexpected_status", `GitHub answered ${status} for ${what}, which was not expected.`);
  }
}

/** Why no whole answer came. */
export function describeNetworkError(error: unknown, what: string): SyncFailure {
  if (error instanceof SyncFailure) return error;
  const refusal = refusalIn(error);
  if (refusal !== null) return new SyncFailure("address_not_allowed", refusal.message, { cause: error });
  if (error instanceof Error && error.name === "TimeoutError") {
    return new SyncFailure("timeout", `GitHub did not send ${what} in time.`, { cause: error });
  }
  return new SyncFailure("connection", `The connection to GitHub broke while reading ${what}: ${reasonOf(error)}.`, {
    cause: error,
  });
}

/** The innermost reason: fetch says only “fetch failed” and keeps the rest as its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return (error.message || code || error.name).slice(0, 200);
}

function quote(message: string): string {
  const text = message
    .replace(/\s+/g, " ")
    .replace(/ - https?:\S+$/, "")
    .trim()
    .replace(/\.$/, "");
  return text === "" || text.startsWith("<") ? "" : ` (“${text.slice(0, 160)}”)`;
}
