import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { formOf, listenLocally } from "./listen-locally";

type Claims = Record<string, unknown>;

const EXCHANGE_ERRORS: Record<number, string> = { 400: "invalid_grant", 401: "invalid_client", 500: "server_error" };

type Forgery = {
  claims?: Claims;
  header?: Record<string, unknown>;
  foreignKey?: boolean;
  tokenStatus?: number;
  hangs?: boolean;
  tokenBody?: string;
};

/** An OpenID Connect provider with forged answers. A code is nonce and subject; `rotate` changes the key. */
export async function forgingIssuer(clientId: string) {
  const server = await listenLocally();
  const foreign = newKey("foreign");
  const state = { key: newKey("first"), forgery: {} as Forgery, exchanged: [] as URLSearchParams[] };
  const idToken = (code: string) => {
    const [nonce, sub] = code.split(".");
    const { claims, header, foreignKey } = state.forgery;
    const now = Math.floor(Date.now() / 1000);
    const truth = { iss: server.url, aud: clientId, iat: now, exp: now + 60, email_verified: true };
    const { key } = foreignKey ? foreign : state.key;
    return sign({ ...truth, nonce, sub, email: `${sub}@example.test`, ...claims }, { kid: state.key.kid, key, header });
  };
  server.handle(async (request, response) => {
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url?.endsWith("/openid-configuration")) {
      const [issuer, of] = [server.url, (path: string) => `${server.url}${path}`];
      const endpoints = { authorization_endpoint: of("/auth"), token_endpoint: of("/token"), jwks_uri: of("/jwks") };
      return json({ issuer, ...endpoints });
    }
    if (request.url === "/jwks")
      return json({ keys: [{ ...state.key.jwk, kid: state.key.kid, alg: "RS256", use: "sig" }] });
    if (request.url !== "/token") return response.writeHead(404).end();
    const form = await formOf(request);
    state.exchanged.push(form);
    const { hangs, tokenStatus, tokenBody } = state.forgery;
    if (hangs) return undefined;
    if (tokenBody !== undefined) return response.writeHead(200, { "content-type": "application/json" }).end(tokenBody);
    if (tokenStatus !== undefined) return json({ error: EXCHANGE_ERRORS[tokenStatus] }, tokenStatus);
    return json({ access_token: "unused", token_type: "Bearer", id_token: idToken(form.get("code") ?? "") });
  });
  return {
    issuer: server.url,
    state,
    rotate() {
      state.key = newKey(`${state.key.kid}-next`);
    },
    close: server.close,
  };
}

function newKey(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { kid, key: privateKey, jwk: publicKey.export({ format: "jwk" }) };
}

function sign(
  claims: Claims,
  { kid, key, header }: { kid: string; key: KeyObject; header: Record<string, unknown> | undefined },
): string {
  const parts = [{ alg: "RS256", kid, ...header }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  if (header?.alg === "none") return `${text}.`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key).toString("base64url")}`;
}
