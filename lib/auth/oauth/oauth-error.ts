import { AppError } from "@/lib/core/errors";

/** The codes of RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2) and RFC 8707 that are answered here. */
export type OAuthCode =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied";

/** A refusal that a program reads as OAuth's own code; for people and the record it is an `AppError` like any other. */
export class OAuthError extends AppError {
  readonly oauthCode: OAuthCode;

  constructor(oauthCode: OAuthCode, message: string) {
    super("malformed", message, { rule: `oauth-${oauthCode}` });
    this.oauthCode = oauthCode;
  }
}
