import type { CollectedError } from "./collect-errors";
import type { ProviderSignInCode } from "./schema";

const NETWORK = /^(address_not_allowed|E[A-Z]+|UND_ERR_.*|ERR_TLS_.*|CERT_.*|DEPTH_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;
const UNREACHABLE =
  /timed out|timeout|aborted|fetch failed|socket hang up|got: 5\d\d|server_error|temporarily_unavailable|Unexpected token|JSON/i;
const NOT_BEGUN_HERE =
  /cookie was missing|value could not be parsed|created for a different provider|state (mismatch|missing)/i;
const CODE_IS_OVER = /invalid_grant|bad_verification_code/;

/**
 * What the person is told of a failed answer. `error`: what the provider itself sent back instead of a code. Everything that
 * cannot be told apart is an answer that is not trusted.
 */
export function failureCode(failure: CollectedError | undefined, error: string | null): ProviderSignInCode {
  if (error === "access_denied") return "ProviderDenied";
  if (error === "server_error" || error === "temporarily_unavailable") return "ProviderUnavailable";
  if (failure === undefined || error !== null) return "ProviderAnswerRejected";
  const { message, systemCode } = failure;
  if (NOT_BEGUN_HERE.test(message) || CODE_IS_OVER.test(message)) return "SignInExpired";
  if ((systemCode !== null && NETWORK.test(systemCode)) || UNREACHABLE.test(message)) return "ProviderUnavailable";
  return "ProviderAnswerRejected";
}
