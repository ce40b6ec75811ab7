import { z } from "zod";
import { lineOfText } from "@/lib/core/schema";
import { Persona } from "../schema";

export const OAuthScope = z.enum(["read", "run"]);
export type OAuthScope = z.infer<typeof OAuthScope>;

const Address = z.string().min(1).max(1000);

/** Client metadata (RFC 7591, section 2); other fields are ignored. */
export const RegisterClientInput = z.object({
  redirect_uris: z.array(Address).min(1).max(10),
  client_name: lineOfText(80).optional().catch(undefined),
  token_endpoint_auth_method: z.string().max(100).optional(),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
});
export type RegisterClientInput = z.infer<typeof RegisterClientInput>;

export const RegisteredClient = z.object({
  client_id: z.string(),
  client_id_issued_at: z.number().int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal("none"),
  scope: z.string(),
});
export type RegisteredClient = z.infer<typeof RegisteredClient>;

/** An authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). Checks sizes only. */
export const AuthorizationRequest = z.object({
  client_id: z.string().max(200).default(""),
  redirect_uri: z.string().max(1000).default(""),
  response_type: z.string().max(100).default(""),
  code_challenge: z.string().max(200).default(""),
  code_challenge_method: z.string().max(100).default(""),
  scope: z.string().max(500).optional(),
  state: z.string().max(2000).optional(),
  resource: z.string().max(1000).optional(),
});
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

export const ConsentPersona = Persona.pick({ id: true, name: true, permissionMode: true, allow: true, deny: true });
export type ConsentPersona = z.infer<typeof ConsentPersona>;

/** The question for the person. With a `problem` there is no choice; `returnTo` reports it to the program. */
export const Consent = z.object({
  client: z.object({ id: z.string(), name: z.string() }),
  leadsTo: z.string().describe("Where the browser goes afterwards: an address without its query."),
  scopes: z.array(OAuthScope),
  personas: z.array(ConsentPersona),
  problem: z.object({ message: z.string(), returnTo: z.string() }).nullable(),
});
export type Consent = z.infer<typeof Consent>;

export const TOKEN_DAYS = [7, 30, 90] as const;

export const DecideConsentInput = z.discriminatedUnion("decision", [
  z.strictObject({
    decision: z.literal("allow"),
    request: AuthorizationRequest,
    persona: z.string().min(1, "choose a persona").max(100),
    days: z.literal(TOKEN_DAYS).default(30).describe("Days after which the token ends."),
  }),
  z.strictObject({ decision: z.literal("deny"), request: AuthorizationRequest }),
]);
export type DecideConsentInput = z.infer<typeof DecideConsentInput>;

export const ConsentDecided = z.object({ returnTo: z.string() });

export const TokenRequest = z.object({
  grant_type: z.string().max(100).default(""),
  code: z.string().max(200).default(""),
  client_id: z.string().max(200).default(""),
  redirect_uri: z.string().max(1000).optional(),
  code_verifier: z.string().max(200).default(""),
  resource: z.string().max(1000).optional(),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

export const IssuedToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.number().int().describe("Seconds."),
  scope: z.string(),
});
export type IssuedToken = z.infer<typeof IssuedToken>;
