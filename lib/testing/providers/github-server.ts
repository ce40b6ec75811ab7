import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { formOf, listenLocally } from "./listen-locally";

type Account = {
  user: { id: number; login: string; name?: string | null; email?: string | null };
  emails: { email: string; primary: boolean; verified: boolean }[];
  organisations?: Record<string, string>;
};

/** Imitates GitHub's OAuth apps (authorize, exchange with PKCE, one-time codes) and the API that sign-in reads. */
export async function gitHubServer(client: { id: string; secret: string }) {
  const server = await listenLocally();
  const state = {
    account: { user: { id: 1, login: "nobody" }, emails: [] } as Account,
    status: 200,
    scope: null as string | null,
  };
  const challenges = new Map<string, string>();
  const tokens = new Map<string, Account>();
  const issueToken = (account: Account) => {
    const token = `gho_${randomUUID()}`;
    tokens.set(token, account);
    return token;
  };

  const exchange = async (request: IncomingMessage) => {
    const form = await formOf(request);
    const challenge = challenges.get(form.get("code") ?? "");
    challenges.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isClient = request.headers.authorization === `Basic ${btoa(`${client.id}:${client.secret}`)}`;
    if (challenge !== verifier || !isClient) return { error: "bad_verification_code" };
    return { access_token: issueToken(state.account), token_type: "bearer", scope: state.scope };
  };

  server.handle(async (request, response) => {
    const url = new URL(request.url ?? "/", server.url);
    const json = (body: unknown, status = state.status) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/login/oauth/authorize") {
      const code = randomUUID();
      challenges.set(code, url.searchParams.get("code_challenge") ?? "");
      state.scope = url.searchParams.get("scope");
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({
        code,
        state: url.searchParams.get("state") ?? "",
        iss: `${server.url}/login/oauth`,
      }).toString();
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/login/oauth/access_token") return json(await exchange(request), 200);
    const account = tokens.get((request.headers.authorization ?? "").replace("Bearer ", ""));
    if (account === undefined) return json({ message: "Bad credentials" }, 401);
    if (url.pathname === "/api/user") return json(account.user);
    if (url.pathname === "/api/user/emails") return json(account.emails);
    const membership = account.organisations?.[url.pathname.split("/").at(-1) ?? ""];
    return membership === undefined ? json({}, 404) : json({ state: membership });
  });
  return { url: server.url, state, issueToken, close: server.close };
}
