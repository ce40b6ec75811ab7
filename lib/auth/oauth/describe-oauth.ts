import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { OAuthScope } from "./schema";

export const ProtectedResource = z.object({
  resource: z.string(),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(OAuthScope),
  bearer_methods_supported: z.array(z.string()),
  resource_documentation: z.string(),
});

export const AuthorizationServer = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  scopes_supported: z.array(OAuthScope),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

/** The MCP address, which is also the resource that tokens are requested for (RFC 8707). */
export function mcpAddress(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Address of the sign-in metadata; requests without a token get it too. */
export function resourceMetadataAddress(publicUrl: string): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** Protected resource metadata (RFC 9728, section 2). */
export function describeResource(publicUrl: string): z.infer<typeof ProtectedResource> {
  return {
    resource: mcpAddress(publicUrl),
    resource_name: "Skillgate",
    authorization_servers: [publicUrl],
    scopes_supported: OAuthScope.options,
    bearer_methods_supported: ["header"],
    resource_documentation: `${publicUrl}/docs/api`,
  };
}

/** Authorization server metadata (RFC 8414, section 2; RFC 9207). */
export function describeAuthorizationServer(publicUrl: string): z.infer<typeof AuthorizationServer> {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/api/oauth/token`,
    registration_endpoint: `${publicUrl}/api/oauth/register`,
    scopes_supported: OAuthScope.options,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Error codes from RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2) and RFC 8707. */
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

/** A refusal with OAuth's own error code, for programs. */
export class OAuthError extends AppError {
  readonly oauthCode: OAuthCode;

  constructor(oauthCode: OAuthCode, message: string) {
    super("malformed", message, { rule: `oauth-${oauthCode}` });
    this.oauthCode = oauthCode;
  }
}
