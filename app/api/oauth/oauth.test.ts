import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createPersona } from "@/lib/auth/personas";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import { browserOf } from "@/lib/testing/browser-of";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "../testing/route-table";

const ORIGIN = "http://127.0.0.1:3000";
const REDIRECT = "http://127.0.0.1/callback";
const { call, person, database } = await testServer(ROUTE_TABLE);

const { id: adminId } = await person("admin");
const adminRow = { userId: adminId, name: "Test admin", email: "a@example.test", role: "admin" as const };
const adminCtx = createCtx({ actor: { kind: "user", ...adminRow, sessionId: newId() }, database });
const persona = await createPersona(adminCtx, { name: "Reader", permissionMode: "read-only" });

let addresses = 0;

/** Registers from its own address, which the listener sets. */
async function register(
  metadata: object = { redirect_uris: [REDIRECT], client_name: "Some editor" },
  from = `192.0.2.${++addresses}`,
) {
  const headers = { "x-skillgate-remote-address": from };
  const response = await call("POST", "/api/oauth/register", { json: metadata, headers });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

type Request = Record<string, string>;

/** Returns a registered program with an authorization request, and a person with a browser. */
async function ready(change: Request = {}) {
  const { body } = await register();
  const verifier = randomBytes(32).toString("base64url");
  const request: Request = {
    client_id: body.client_id ?? "",
    redirect_uri: "http://127.0.0.1:50123/callback",
    response_type: "code",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${ORIGIN}/mcp`,
    state: "s1",
    ...change,
  };
  const { id: userId } = await person("user");
  return { request, verifier, userId, browser: await browserOf(database, userId) };
}

type Ready = Awaited<ReturnType<typeof ready>>;

async function ask({ request, browser }: Ready) {
  const response = await call("GET", `/api/oauth/consent?${new URLSearchParams(request)}`, { headers: browser });
  return { status: response.status, body: await response.json() };
}

async function decide({ request, browser }: Ready, decision: object = { decision: "allow", persona: persona.id }) {
  const response = await call("POST", "/api/oauth/consent", { headers: browser, json: { ...decision, request } });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, body, answer: new URL(body.returnTo ?? "http://none").searchParams };
}

async function exchange({ request, verifier }: Ready, code: string, change: Request = {}) {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    client_id: request.client_id ?? "",
    redirect_uri: request.redirect_uri ?? "",
    code_verifier: verifier,
    ...change,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await call("POST", "/api/oauth/token", { body: form.toString(), headers });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, string>,
    headers: response.headers,
  };
}

async function codeOf(given: Ready): Promise<string> {
  return (await decide(given)).answer.get("code") ?? "";
}

test("a program registers, a person lets it in, and it gets a token of an agent that ends and can be revoked", async () => {
  const given = await ready();
  const { body: asked } = await ask(given);
  expect(asked).toMatchObject({
    client: { name: "Some editor" },
    leadsTo: "http://127.0.0.1:50123/callback",
    scopes: ["read", "run"],
    problem: null,
  });
  expect(asked.personas.map(({ name }: { name: string }) => name)).toEqual(["Reader"]);

  const { body, answer } = await decide(given, { decision: "allow", persona: persona.id, days: 7 });
  expect(body.returnTo?.startsWith("http://127.0.0.1:50123/callback?")).toBe(true);
  expect([answer.get("state"), answer.get("iss"), answer.get("error")]).toEqual(["s1", ORIGIN, null]);

  const issued = await exchange(given, answer.get("code") ?? "");
  expect(issued.status).toBe(200);
  expect(issued.headers.get("cache-control")).toBe("no-store");
  expect(issued.body).toMatchObject({ token_type: "Bearer", scope: "read run" });
  const week = 7 * 24 * 3600;
  expect(Number(issued.body.expires_in)).toBeGreaterThan(week - 120);
  expect(Number(issued.body.expires_in)).toBeLessThanOrEqual(week);

  const token = issued.body.access_token ?? "";
  const me = await (await call("GET", "/api/me", { token })).json();
  expect(me.user.id).toBe(given.userId);
  expect(me.rights).toMatchObject({ scopes: ["read", "run"], persona: { name: "Reader" } });

  const listed = await (await call("GET", "/api/tokens", { headers: given.browser })).json();
  expect(listed.items[0]).toMatchObject({ name: "Some editor (by browser)", personaName: "Reader" });
  await call("DELETE", `/api/tokens/${listed.items[0].id}`, { headers: given.browser });
  expect((await call("GET", "/api/me", { token })).status).toBe(401);
  const actions = await database.reader.auditEvent.findMany({
    where: { actorId: given.userId, OR: [{ action: { startsWith: "oauth." } }, { action: { startsWith: "token." } }] },
    orderBy: { seq: "asc" },
  });
  expect(actions.map(({ action }) => action)).toEqual(["oauth.allow", "token.create", "token.revoke"]);
});

test("who says no sends the program away with access_denied", async () => {
  const given = await ready();
  const { answer } = await decide(given, { decision: "deny" });
  expect([answer.get("error"), answer.get("state"), answer.get("code")]).toEqual(["access_denied", "s1", null]);
});

test("a code that comes twice gives nothing, and the token it gave is revoked", async () => {
  const given = await ready();
  const code = await codeOf(given);
  const { body } = await exchange(given, code);
  const token = body.access_token ?? "";
  expect((await call("GET", "/api/me", { token })).status).toBe(200);
  expect(await exchange(given, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await call("GET", "/api/me", { token })).status).toBe(401);
});

test.each<[string, Request]>([
  ["another verifier", { code_verifier: randomBytes(32).toString("base64url") }],
  ["another address on this machine", { redirect_uri: "http://127.0.0.1:50124/callback" }],
  ["another program", { client_id: "sgc_another" }],
  ["another code", { code: "made-up" }],
])("%s gets no token, and the right one still does", async (_what, change) => {
  const given = await ready();
  const code = await codeOf(given);
  expect(await exchange(given, code, change)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await exchange(given, code)).status).toBe(200);
});

test("a code is worth nothing a minute later, nor when its person was disabled or its persona deleted", async () => {
  const [late, disabled, gone] = [await ready(), await ready(), await ready()];
  const other = await createPersona(adminCtx, { name: "Short-lived", permissionMode: "read-only" });
  const codes = [await codeOf(late), await codeOf(disabled)];
  const orphan = (await decide(gone, { decision: "allow", persona: other.id })).answer.get("code") ?? "";
  await database.writer.oAuthCode.updateMany({ where: { userId: late.userId }, data: { expiresAt: new Date() } });
  await database.writer.user.update({ where: { id: disabled.userId }, data: { state: "disabled" } });
  await database.writer.persona.delete({ where: { id: other.id } });
  expect((await exchange(late, codes[0] ?? "")).body.error).toBe("invalid_grant");
  expect((await exchange(disabled, codes[1] ?? "")).body.error).toBe("invalid_grant");
  expect((await exchange(gone, orphan)).body.error).toBe("invalid_grant");
});

test.each<[string, Request, string]>([
  ["no PKCE", { code_challenge: "" }, "invalid_request"],
  ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
  ["a token in the address", { response_type: "token" }, "unsupported_response_type"],
  ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
  ["scopes that are never given", { scope: "write admin" }, "invalid_scope"],
])("with %s there is nothing to decide, and the program hears of it", async (_what, change, error) => {
  const given = await ready(change);
  const { body } = await ask(given);
  expect(new URL(body.problem.returnTo).searchParams.get("error")).toBe(error);
  expect((await decide(given)).answer.get("error")).toBe(error);
});

test("more scopes than are offered are cut down to them", async () => {
  const given = await ready({ scope: "read admin offline_access" });
  expect((await ask(given)).body.scopes).toEqual(["read"]);
});

test.each<[string, Request, number]>([
  ["an unknown program", { client_id: "sgc_unknown" }, 404],
  ["an address that was not registered", { redirect_uri: "https://evil.example/callback" }, 400],
  ["another path on this machine", { redirect_uri: "http://127.0.0.1:50123/elsewhere" }, 400],
])("%s sends the browser nowhere", async (_what, change, status) => {
  const given = await ready(change);
  expect((await ask(given)).status).toBe(status);
  expect(await decide(given)).toMatchObject({ status, body: { detail: expect.any(String) } });
});

test("a token of the resource indicator of another server is not given", async () => {
  const given = await ready();
  const answered = await exchange(given, await codeOf(given), { resource: "https://other.example/mcp" });
  expect(answered).toMatchObject({ status: 400, body: { error: "invalid_target" } });
});

test.each<[string, object, string]>([
  ["no address", {}, "invalid_redirect_uri"],
  ["an address of a foreign http server", { redirect_uris: ["http://app.example.com/cb"] }, "invalid_redirect_uri"],
  ["a script for an address", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
  [
    "a secret",
    { redirect_uris: [REDIRECT], token_endpoint_auth_method: "client_secret_post" },
    "invalid_client_metadata",
  ],
])("a program with %s is not registered", async (_what, metadata, error) => {
  expect(await register(metadata)).toMatchObject({ status: 400, body: { error } });
});

test("programs without consent are deleted when they expire, and their number is limited", async () => {
  const { body } = await register();
  await database.writer.oAuthClient.update({ where: { id: body.client_id ?? "" }, data: { expiresAt: new Date() } });
  await register();
  expect(await database.reader.oAuthClient.findUnique({ where: { id: body.client_id ?? "" } })).toBeNull();
  const row = { name: "x", redirectUris: "[]", createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
  await database.writer.oAuthClient.createMany({ data: Array.from({ length: 500 }, () => ({ id: newId(), ...row })) });
  expect((await register()).status).toBe(429);
});

test("one address registers twenty programs in a minute", async () => {
  const { length } = Array.from({ length: 20 });
  const wrong = { redirect_uris: ["http://app.example.com/"] };
  const answers: number[] = [];
  for (let count = 0; count <= length; count += 1) answers.push((await register(wrong, "198.51.100.1")).status);
  expect(answers).toEqual([...Array.from({ length }, () => 400), 429]);
});
