import type { Agent } from "node:http";
import type { Profile } from "next-auth";
import type { OAuthConfig, UserinfoEndpointHandler } from "next-auth/providers/oauth";
import { z } from "zod";
import { Email } from "@/lib/auth/schema";
import type { Env } from "@/lib/core/env";
import { outgoingAgents, outgoingFetch } from "@/lib/core/outgoing/server-features";
import type { Identity } from "@/lib/policy/decide-sign-in";
import { PROVIDER_TIMEOUT_MS, type Provider } from "./read-providers";

const GitHubUser = z.object({ id: z.number().int(), login: z.string().min(1), name: z.string().nullish() });

const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const Membership = z.object({ state: z.string() });

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().optional().catch(undefined),
  // Some providers send it as text, against the specification.
  email_verified: z
    .union([z.boolean(), z.literal("true").transform(() => true)])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  hd: z.string().optional().catch(undefined),
});

const Groups = z.union([z.array(z.string()), z.string().transform((text) => [text])]).catch([]);

const DISCOVERY = "/.well-known/openid-configuration";

type Config = {
  env: Env;
  /** GitHub organisations that may join; reading memberships needs an extra scope. */
  organisations: string[];
  groups: string[];
  /** Receives the identity; tokens are not passed on. */
  onIdentity(identity: Identity): void;
};

/** A provider for next-auth: always with state and PKCE, with a nonce for id tokens, and five seconds per call. */
export function providerConfig(provider: Provider, config: Config): OAuthConfig<Profile> {
  return {
    id: provider.id,
    name: provider.name,
    type: "oauth",
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    httpOptions: { timeout: PROVIDER_TIMEOUT_MS, agent: agentFor(provider.issuer) },
    profile: ({ sub = "" }) => ({ id: sub }),
    ...(provider.id === "github" ? gitHub(provider, config) : openIdConnect(provider, config)),
  };
}

/** openid-client takes a single agent, so http endpoints of an https issuer fail. */
function agentFor(issuer: string): Agent {
  const agents = outgoingAgents("signIn");
  return issuer.startsWith("https:") ? agents.https : agents.http;
}

function gitHub(provider: Provider, { env, organisations, onIdentity }: Config): Partial<OAuthConfig<Profile>> {
  const userinfo: UserinfoEndpointHandler = {
    async request({ tokens }) {
      // GitHub refuses a code with status 200.
      if (tokens.access_token === undefined) throw new Error(`no access token: ${String(tokens.error)}`);
      const asked = { apiUrl: env.GITHUB_API_URL, accessToken: tokens.access_token, organisations };
      return passOn(await readGitHubIdentity(provider, asked), onIdentity);
    },
  };
  const scope = organisations.length > 0 ? "read:user user:email read:org" : "read:user user:email";
  return {
    // GitHub's `iss` in its answers (RFC 9207).
    issuer: `${provider.issuer}/login/oauth`,
    authorization: { url: `${provider.issuer}/login/oauth/authorize`, params: { scope } },
    token: { url: `${provider.issuer}/login/oauth/access_token` },
    userinfo,
    checks: ["pkce", "state"],
  };
}

function openIdConnect(provider: Provider, { env, groups, onIdentity }: Config): Partial<OAuthConfig<Profile>> {
  const [scope, groupsClaim] =
    provider.id === "oidc" ? [env.OIDC_SCOPE, env.OIDC_GROUPS_CLAIM] : ["openid email profile", null];
  const userinfo: UserinfoEndpointHandler = {
    async request({ client, tokens }) {
      // next-auth's types hide openid-client's token set; its id token is verified.
      const said = (tokens as unknown as { claims(): Record<string, unknown> }).claims();
      const lacksGroups = groupsClaim !== null && groups.length > 0 && said[groupsClaim] === undefined;
      const isWhole = said.email !== undefined && !lacksGroups;
      const endpoint = client.issuer.metadata.userinfo_endpoint;
      // OpenID Connect Core 5.4 allows claims at the UserInfo endpoint only.
      const added: Record<string, unknown> =
        isWhole || !endpoint ? {} : await client.userinfo(tokens.access_token ?? "");
      if (added.sub !== undefined && added.sub !== said.sub) throw new Error("the sub of UserInfo is another one");
      const claims = { ...added, ...said };
      return passOn(readOpenIdIdentity(provider, { claims, groupsClaim }), onIdentity);
    },
  };
  return {
    wellKnown: `${provider.issuer}${DISCOVERY}`,
    authorization: { params: { scope } },
    idToken: true,
    userinfo,
    checks: ["pkce", "state", "nonce"],
  };
}

function passOn(identity: Identity, onIdentity: Config["onIdentity"]): Profile {
  onIdentity(identity);
  return { sub: identity.subject };
}

/**
 * The identity in the claims of an id token (OpenID Connect Core 2 and 5.1). A Google email address counts only for
 * Gmail or an organisation's own domain (`hd`), because a Google account can be made with any address that the person
 * once had.
 */
function readOpenIdIdentity(
  provider: Provider,
  given: { claims: Record<string, unknown>; groupsClaim: string | null },
): Identity {
  const claims = Claims.parse(given.claims);
  const { iss, sub, name, preferred_username } = claims;
  if (iss.replace(/\/+$/, "") !== provider.issuer) throw new Error(`unexpected issuer, got: ${iss}`);
  const email = claims.email_verified === true ? (Email.safeParse(claims.email).data ?? null) : null;
  const domain = email?.slice(email.lastIndexOf("@") + 1) ?? null;
  const isAnsweredFor = provider.id !== "google" || domain === "gmail.com" || claims.hd?.toLowerCase() === domain;
  const label = claims.email ?? preferred_username ?? sub;
  return {
    provider: provider.id,
    issuer: provider.issuer,
    subject: sub,
    label,
    name: name ?? preferred_username ?? label,
    email: isAnsweredFor ? email : null,
    domain: isAnsweredFor ? domain : null,
    organisations: [],
    groups: given.groupsClaim === null ? [] : Groups.parse(given.claims[given.groupsClaim]),
  };
}

/**
 * The identity behind a GitHub access token (REST API 2022-11-28). Only the verified primary address of `/user/emails`
 * counts, because the address in a profile is unverified. Of `organisations`, those with an active membership.
 */
export async function readGitHubIdentity(
  provider: Provider,
  given: { apiUrl: string; accessToken: string; organisations: string[] },
): Promise<Identity> {
  const ask = (path: string) => askGitHub(`${given.apiUrl.replace(/\/+$/, "")}${path}`, given.accessToken);
  const user = GitHubUser.parse(await readOk(await ask("/user")));
  const emails = Emails.parse(await readOk(await ask("/user/emails?per_page=100")));
  const primary = emails.find((address) => address.primary && address.verified)?.email;
  const email = Email.safeParse(primary).data ?? null;
  const memberships = await Promise.all(
    given.organisations.map(async (name) => {
      const response = await ask(`/user/memberships/orgs/${encodeURIComponent(name)}`);
      // 404: not a member; 403: the organisation blocks this app.
      if (response.status === 404 || response.status === 403) return [];
      return Membership.parse(await readOk(response)).state === "active" ? [name] : [];
    }),
  );
  return {
    provider: provider.id,
    issuer: provider.issuer,
    subject: String(user.id),
    label: user.login,
    name: user.name || user.login,
    email,
    domain: email?.slice(email.lastIndexOf("@") + 1) ?? null,
    organisations: memberships.flat(),
    groups: [],
  };
}

function askGitHub(url: string, accessToken: string): Promise<Response> {
  return outgoingFetch("signIn")(url, {
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${accessToken}`,
      "user-agent": "skillgate",
      "x-github-api-version": "2022-11-28",
    },
    signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
  });
}

async function readOk(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`expected 200 OK, got: ${response.status}`);
  return response.json();
}
