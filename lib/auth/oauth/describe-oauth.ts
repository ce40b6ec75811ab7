import { OAuthScope } from "./schema";

/** The address that tokens are asked for (RFC 8707) and that programs connect to. */
export function mcpAddress(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Where a program learns how to sign somebody in; also named in the answer to a request without a token. */
export function resourceMetadataAddress(publicUrl: string): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** Protected resource metadata (RFC 9728, section 2). */
export function describeResource(publicUrl: string) {
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
export function describeAuthorizationServer(publicUrl: string) {
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
