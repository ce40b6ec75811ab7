import { AsyncLocalStorage } from "node:async_hooks";
import { recordEvent } from "@/lib/audit/record-event";
import { emailDigest } from "@/lib/auth/sessions/sign-in";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Identity } from "@/lib/policy/decide-sign-in";
import type { Provider } from "./read-providers";
import type { ProviderSignInCode } from "./schema";

export type CollectedError = { code: string; message: string; systemCode: string | null };

const collecting = new AsyncLocalStorage<CollectedError[]>();

/** Collects the errors that next-auth logs during `work`; its logger is shared by the process. */
export async function collectErrors<T>(work: () => Promise<T>): Promise<{ result: T; errors: CollectedError[] }> {
  const errors: CollectedError[] = [];
  return { result: await collecting.run(errors, work), errors };
}

/** Logger for next-auth. Logs only the message, because the other details may contain a token. */
export const nextAuthLogger = {
  error(code: string, detail: unknown) {
    const error = readError(detail);
    collecting.getStore()?.push({ code, ...error });
    logger.debug({ code, detail: error.message }, "next-auth");
  },
  warn: (code: string) => logger.debug({ code }, "next-auth"),
  debug: () => undefined,
};

function readError(detail: unknown): { message: string; systemCode: string | null } {
  const error = isRecord(detail) && isRecord(detail.error) ? detail.error : detail;
  if (!isRecord(error)) return { message: String(error), systemCode: null };
  return {
    message: typeof error.message === "string" ? error.message : "",
    systemCode: typeof error.code === "string" ? error.code : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const NETWORK = /^(address_not_allowed|E[A-Z]+|UND_ERR_.*|ERR_TLS_.*|CERT_.*|DEPTH_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;
const UNREACHABLE =
  /timed out|timeout|aborted|fetch failed|socket hang up|got: 5\d\d|server_error|temporarily_unavailable|Unexpected token|JSON/i;
const NOT_BEGUN_HERE =
  /cookie was missing|value could not be parsed|created for a different provider|state (mismatch|missing)/i;
const CODE_IS_OVER = /invalid_grant|bad_verification_code/;

/**
 * Maps a failure to the code for the person. `error`: the error that the provider returned instead of a code. An
 * unknown failure counts as an untrusted answer.
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

/** Fields of an identity for an event. The email address is kept only as a digest. */
export function describeIdentity(identity: Identity): Record<string, unknown> {
  const { provider, issuer, subject, email } = identity;
  return { provider, issuer, subject, emailDigest: email === null ? null : emailDigest(email) };
}

/** Records a sign-in that failed before the provider returned an identity. */
export async function recordProviderFailure(
  ctx: Ctx,
  { provider, code }: { provider: Provider; code: ProviderSignInCode },
): Promise<void> {
  await inTransaction(ctx, (tx) =>
    recordEvent(tx, ctx, {
      action: "sign_in.fail",
      outcome: "refused",
      summary: `failed to sign in with ${provider.name}`,
      rule: code,
      data: { provider: provider.id, issuer: provider.issuer },
    }),
  );
}
