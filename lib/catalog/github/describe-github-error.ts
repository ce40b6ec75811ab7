import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import { SyncFailure } from "../sync-failure";
import { TOO_LARGE_STATUS } from "./guarded-fetch";
import type { GitHubEndpoint } from "./hosts";
import { rateLimited, readRetryAt } from "./rate-limit";

/** Marks an address that the outgoing policy refused; GitHub itself never answers 421. */
export const NOT_ALLOWED_STATUS = 421;

type Context = { what: string; endpoint: GitHubEndpoint; hasToken: boolean; now: Date };
type ErrorStatus = { status: number; headers: Headers; message: string };

/** Explains an error status of GitHub. `what` names what was requested: “the repository acme/skills”. */
export function describeErrorStatus({ status, headers, message }: ErrorStatus, context: Context): SyncFailure {
  const { what, endpoint, hasToken, now } = context;
  const retryAt = readRetryAt(headers, now);
  const fail = (code: SyncFailure["code"], text: string) =>
    new SyncFailure(code, text, { retryAt: status >= 500 ? retryAt : null });
  if (status === 429 || (status === 403 && (retryAt !== null || /rate limit|abuse/i.test(message)))) {
    return rateLimited(retryAt ?? new Date(now.getTime() + 60_000), { hasToken });
  }
  switch (status) {
    case 401:
      return fail(
        "token_refused",
        hasToken
          ? "GitHub refused the stored token. Set a new GitHub token."
          : `GitHub requires a token to read ${what}. Set a GitHub token.`,
      );
    case 403: {
      const advice = hasToken ? "Check the permissions of the stored token." : "Set a GitHub token that may read it.";
      return fail("forbidden", `GitHub does not allow reading ${what}${quote(message)}. ${advice}`);
    }
    case 404:
    case 410: {
      const advice = hasToken
        ? "Check its name, and that the stored token may read it."
        : "Check its name. A private repository needs a GitHub token.";
      return fail("not_found", `GitHub does not find ${what}. ${advice}`);
    }
    case 409:
      return fail("empty", `GitHub reports that ${what} is empty or not ready${quote(message)}. Push a commit first.`);
    case TOO_LARGE_STATUS:
      return fail("too_large", `GitHub’s answer for ${what} is too large${quote(message)}.`);
    case NOT_ALLOWED_STATUS:
      return fail("address_not_allowed", message);
    case 422:
      return fail("ref_not_found", `GitHub cannot resolve ${what}${quote(message)}. Check the branch, tag or commit.`);
    case 451:
      return fail("legal_block", `GitHub has blocked ${what} for legal reasons.`);
    default:
      return status >= 500
        ? fail(
            "upstream_unavailable",
            `GitHub failed (${endpoint.host} answered ${status} for ${what}). Try again later.`,
          )
        : fail("unexpected_status", `GitHub answered ${status} for ${what}. Check ${endpoint.variable}.`);
  }
}

/** Explains why no complete answer arrived: DNS, TCP, TLS, a time-out, or an address that the outgoing policy refused. */
export function describeNetworkError(
  error: unknown,
  { what, endpoint }: Pick<Context, "what" | "endpoint">,
): SyncFailure {
  if (error instanceof SyncFailure) return error;
  const refusal = refusalIn(error);
  if (refusal !== null) return new SyncFailure("address_not_allowed", refusal.message, { cause: error });
  if (error instanceof Error && error.name === "TimeoutError") {
    const text = `GitHub did not answer in time (${endpoint.host}, while reading ${what}). Check the server’s network, or try again later.`;
    return new SyncFailure("timeout", text, { cause: error });
  }
  return new SyncFailure("connection", connectionText(error, { what, endpoint }), { cause: error });
}

const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;

function connectionText(error: unknown, { what, endpoint }: Pick<Context, "what" | "endpoint">): string {
  const { code, message } = innermost(error);
  const unreachable = (reason: string, advice = "Check the server’s network or set") =>
    `GitHub could not be reached (${endpoint.host}: ${reason}). ${advice} ${endpoint.variable}.`;
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_FAIL":
    case "EAI_NODATA":
    case "ENODATA":
      return unreachable("name not found");
    case "ECONNREFUSED":
      return unreachable("connection refused");
    case "ETIMEDOUT":
      return unreachable("connection timed out");
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return unreachable("no route to the host");
    case "CERT_HAS_EXPIRED":
      return unreachable("its TLS certificate has expired", "Renew it, or change");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return unreachable("its TLS certificate is for another name", "Check");
    default:
  }
  if (CERTIFICATE.test(code)) {
    return unreachable(
      `its TLS certificate is not trusted, ${code}`,
      "Name the file of its authority in NODE_EXTRA_CA_CERTS, or change",
    );
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return unreachable("TLS failed", "Check");
  return `The connection to GitHub broke while reading ${what} (${endpoint.host}: ${message || code}). Try again later.`;
}

/** The cause at the end of the chain: fetch itself only reports “fetch failed”. */
function innermost(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: "", message: String(error) };
  if (error.cause instanceof Error) return innermost(error.cause);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { code, message: (error.message || code || error.name).slice(0, 200) };
}

/** GitHub’s own words in brackets, without the link to its documentation; empty for a web page. */
function quote(message: string): string {
  const text = message
    .replace(/\s+/g, " ")
    .replace(/ - https?:\S+$/, "")
    .trim()
    .replace(/\.$/, "");
  return text === "" || text.startsWith("<") ? "" : ` (“${text.slice(0, 160)}”)`;
}
