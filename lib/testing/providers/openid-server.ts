import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { listenLocally } from "./listen-locally";

const SCOPES = "openid email profile groups";

type Client = { id: string; secret: string; redirectUri: string };

/** The provider `oidc-provider` on loopback; signs in as `account`, or refuses while that is null. */
export async function openIdServer(clients: Client[]) {
  const server = await listenLocally();
  const state: { account: ({ sub: string } & Record<string, unknown>) | null } = { account: null };
  const provider = new Provider(
    server.url,
    configuration(clients, () => state.account),
  );
  const answer = provider.callback();
  server.handle((request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(provider, request, response, state.account?.sub);
    else void answer(request, response);
  });
  return { issuer: server.url, state, close: server.close };
}

function configuration(
  clients: Client[],
  account: () => ({ sub: string } & Record<string, unknown>) | null,
): Configuration {
  return {
    clients: clients.map(({ id, secret, redirectUri }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: [redirectUri],
    })),
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomUUID()] },
    claims: { email: ["email", "email_verified", "hd"], profile: ["name"], groups: ["groups"] },
    scopes: SCOPES.split(" "),
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...account(), sub }) }),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  };
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  sub: string | undefined,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  if (sub === undefined) return provider.interactionFinished(request, response, { error: "access_denied" });
  const grant = new provider.Grant({ accountId: sub, clientId: String(params.client_id) });
  grant.addOIDCScope(SCOPES);
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId: sub }, consent: { grantId } });
}

function signingKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
}
