import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { apiOf } from "../../fixtures/api";
import { ADMIN } from "../../fixtures/start-app";
import { assert } from "../assert";
import type { ClientFolders } from "../client-folders";
import { lastLines, runProgram } from "../run-program";
import type { World } from "../world";

type Options = { world: World; folders: ClientFolders; folder: string; node: string };

/**
 * Runs the suite's scenarios for authorization servers: its program registers, the admin consents in a session of the browser, and the
 * program exchanges its code for a token.
 */
export async function runAuthorization({ world, folders, folder, node }: Options): Promise<void> {
  const { url } = world.app;
  const port = await freePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const api = apiOf(world.app);
  const client = await api.json("POST", "/api/oauth/register", {
    client_name: "conformance",
    redirect_uris: [redirect],
  });
  const persona = await api.json("POST", "/api/admin/personas", { name: "conformance", permissionMode: "read-only" });
  const session = apiOf(world.app, "", { ...(await signIn(url)), authorization: "" });
  const home = folders.fresh("authorization");
  let isAsked = false;
  let consent: Promise<unknown> = Promise.resolve();
  const answerPerson = (output: string) => {
    const found = /(http\S+\/oauth\/authorize\?\S+)\n/.exec(output)?.[1];
    if (found === undefined || isAsked) return;
    isAsked = true;
    const request = Object.fromEntries(new URL(found).searchParams);
    const decision = { decision: "allow", request, persona: persona.id, days: 7 };
    consent = session.json("POST", "/api/oauth/consent", decision).then(({ returnTo }) => fetch(returnTo));
  };
  const program = join(folder, "dist", "index.js");
  const asked = ["--url", url, "--client-id", client.client_id, "--resource", `${url}/mcp`, "--port", String(port)];
  const { code, output } = await runProgram(node, [program, "authorization", ...asked, "--output-dir", home], {
    ...{ cwd: home, env: folders.envIn(home) },
    onOutput: answerPerson,
  });
  await consent;
  assert(code === 0, lastLines(output));
  assert(/authorization-code-grant/.test(output) && !/skipped: [1-9]/i.test(output), lastLines(output));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The headers of the admin's browser. */
async function signIn(url: string): Promise<Record<string, string>> {
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  const first = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const own = { origin: url, "sec-fetch-site": "same-origin" };
  const { email, password } = ADMIN;
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { ...own, cookie: cookiesOf(first).join("; ") },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  assert(answer.status === 200, `the sign-in answers ${answer.status}`);
  return { ...own, cookie: cookiesOf(answer).join("; ") };
}
