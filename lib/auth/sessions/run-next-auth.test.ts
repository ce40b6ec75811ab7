import { expect, test, vi } from "vitest";
import { hashPassword } from "@/lib/auth/people/passwords";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { authenticateRequest } from "./authenticate-request";
import { runNextAuth } from "./run-next-auth";

vi.stubEnv("NEXTAUTH_SECRET", "0123456789abcdef0123456789abcdef");
vi.stubEnv("NEXTAUTH_URL", "http://127.0.0.1:3000");

const { as, database } = await testDatabase();
const anonymous = as({ kind: "anonymous" });
const password = "a quiet long river";
const passwordHash = await hashPassword(password);
const rules = { passwords: true, connectByEmail: false, domains: [], organisations: [], groups: [] };
const COOKIE = "next-auth.session-token";

async function storedPerson() {
  const id = newId();
  const at = new Date();
  const data = { id, email: `${id}@example.test`, name: "Ada", role: "user", state: "active", passwordHash };
  return database.writer.user.create({ data: { ...data, createdAt: at, updatedAt: at } });
}

/** A program with a cookie jar. */
function client() {
  const jar = new Map<string, string>();
  const request = (path: string, method: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(cookie === "" ? {} : { cookie });
    return new Request(`http://127.0.0.1:3000/api/auth/${path}`, { method, headers });
  };
  const send = async (
    path: string,
    method: "GET" | "POST",
    fields: Record<string, string> = {},
    parts: string[] = path.split("/"),
  ) => {
    const response = await runNextAuth(anonymous, {
      request: request(path, method),
      path: parts,
      fields,
      rules,
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0]?.split("=") ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const csrf = async (): Promise<string> => (await (await send("csrf", "GET")).json()).csrfToken;
  const signIn = async (fields: Record<string, string>) =>
    send("callback/credentials", "POST", { csrfToken: await csrf(), json: "true", ...fields });
  const actor = () => authenticateRequest(anonymous, request("session", "GET"));
  return { jar, send, csrf, signIn, actor };
}

test("a program signs in with a token and a form, and the cookie stands for the person for twelve hours", async () => {
  const { id, email } = await storedPerson();
  const { jar, signIn, actor, send } = client();
  const response = await signIn({ email, password });
  expect(response.status).toBe(200);
  const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith(COOKIE)) ?? "";
  expect(line).toMatch(/HttpOnly/i);
  expect(line).toMatch(/SameSite=Lax/i);
  const hours = (Date.parse(/Expires=([^;]+)/i.exec(line)?.[1] ?? "") - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(12, 1);
  expect(await actor()).toMatchObject({ kind: "user", userId: id });
  expect(await (await send("session", "GET")).json()).toMatchObject({ user: { name: "Ada", email } });
  expect(await actor()).toMatchObject({ kind: "user", userId: id });
  expect(jar.get(COOKIE)).toBeDefined();
});

test("a form without script is sent on, with the session or with the reason", async () => {
  const { email } = await storedPerson();
  const { send, csrf, actor } = client();
  const refused = await send("callback/credentials", "POST", { csrfToken: await csrf(), email, password: "wrong" });
  expect(refused.status).toBe(302);
  expect(refused.headers.get("location")).toContain("error=CredentialsSignin");
  expect(await actor()).toEqual({ kind: "anonymous" });
  const accepted = await send("callback/credentials", "POST", { csrfToken: await csrf(), email, password });
  expect(accepted.status).toBe(302);
  expect(await actor()).toMatchObject({ kind: "user" });
});

test("a wrong password, an unknown person and missing fields are 401 with the same code", async () => {
  const { email } = await storedPerson();
  for (const fields of [{ email, password: "wrong" }, { email: "nobody@example.test", password }, { email }, {}]) {
    const { signIn, actor } = client();
    const response = await signIn(fields as Record<string, string>);
    expect(response.status).toBe(401);
    const { url } = await response.json();
    expect(new URL(url).searchParams.get("error")).toBe("CredentialsSignin");
    expect(await actor()).toEqual({ kind: "anonymous" });
  }
});

test("a locked account is 429 with Retry-After and the code Throttled", async () => {
  const { email } = await storedPerson();
  const { signIn } = client();
  for (let i = 0; i < 5; i++) await signIn({ email, password: "wrong" });
  const response = await signIn({ email, password });
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(new URL((await response.json()).url).searchParams.get("error")).toBe("Throttled");
});

test("without the correct CSRF token sign-in and sign-out are refused", async () => {
  const { email } = await storedPerson();
  const { signIn, send, actor } = client();
  for (const csrfToken of ["", "f".repeat(64)]) {
    await expect(signIn({ email, password, csrfToken })).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await actor()).toEqual({ kind: "anonymous" });
  await signIn({ email, password });
  await expect(send("signout", "POST", { json: "true" })).rejects.toMatchObject({ code: "forbidden" });
  expect(await actor()).toMatchObject({ kind: "user" });
});

test("signing out revokes the session: a kept copy of the cookie is worth nothing", async () => {
  const { id, email } = await storedPerson();
  const { jar, signIn, send, csrf, actor } = client();
  await signIn({ email, password });
  const copy = jar.get(COOKIE) ?? "";
  expect((await send("signout", "POST", { csrfToken: await csrf(), json: "true" })).status).toBe(200);
  expect(jar.has(COOKIE)).toBe(false);
  jar.set(COOKIE, copy);
  expect(await actor()).toEqual({ kind: "anonymous" });
  expect(await (await send("session", "GET")).json()).toEqual({});
  expect(jar.has(COOKIE)).toBe(false);
  expect(await database.reader.auditEvent.count({ where: { action: "session.end", actorId: id } })).toBe(1);
});

test.each([
  ["GET", "error?error=Throttled", "/sign-in?error=Throttled"],
  ["GET", "signout", "/sign-in"],
] as const)("%s %s leads to the sign-in page", async (method, path, to) => {
  const { send } = client();
  const request = new Request(`http://127.0.0.1:3000/api/auth/${path}`, { method });
  const response = await runNextAuth(anonymous, { request, path: [path.split("?")[0] ?? ""], fields: {}, rules });
  expect(response.headers.get("location")).toBe(to);
  expect((await send("signin", "GET")).headers.get("location")).toMatch(/^\/sign-in\?callbackUrl=/);
});

test.each([
  ["POST", "_log"],
  ["POST", "session"],
  ["POST", "callback/github"],
  ["GET", "callback/credentials"],
] as const)("%s %s does not exist", async (method, path) => {
  await expect(client().send(path, method)).rejects.toMatchObject({ code: "not_found" });
});

test("sign-in never redirects to another site, and reports no configuration error", async () => {
  const { email } = await storedPerson();
  for (const callbackUrl of ["https://evil.example.test/", "javascript:alert(1)"]) {
    const response = await client().signIn({ email, password, callbackUrl });
    expect(response.status).toBe(200);
    expect((await response.json()).url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/?$/);
  }
});

test("a cookie that names another site’s page is malformed, not a failure of the server", async () => {
  const { jar, send } = client();
  jar.set("next-auth.callback-url", "javascript:alert(1)");
  await expect(send("csrf", "GET")).rejects.toMatchObject({ code: "malformed" });
});

test("sign-in redirects to the requested page of this site", async () => {
  const { email } = await storedPerson();
  const response = await client().signIn({ email, password, callbackUrl: "/runs?state=failed" });
  expect((await response.json()).url).toBe("http://127.0.0.1:3000/runs?state=failed");
});

test("with passwords disabled, a correct password is refused", async () => {
  const { email } = await storedPerson();
  const { send, csrf, actor } = client();
  const request = new Request("http://127.0.0.1:3000/api/auth/callback/credentials", { method: "POST" });
  const fields = { csrfToken: await csrf(), email, password };
  const input = { request, path: ["callback", "credentials"], fields, rules: { ...rules, passwords: false } };
  await expect(runNextAuth(anonymous, input)).rejects.toMatchObject({ code: "forbidden", rule: "passwords-off" });
  expect(await actor()).toEqual({ kind: "anonymous" });
  expect(Object.keys(await (await send("providers", "GET")).json())).toEqual(["credentials"]);
});

test.each(["€", "\r\nX-Injected: 1", "a&callbackUrl=https://evil.example", "x".repeat(100)])(
  "an error page for the unknown error %j is a redirect to this site's sign-in page",
  async (error) => {
    const { send } = client();
    const response = await send(`error?${new URLSearchParams({ error })}`, "GET", {}, ["error"]);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toMatch(/^(?:http:\/\/127\.0\.0\.1:3000)?\/sign-in\?error=Default$/);
  },
);

test("cookies of odd names are ignored", async () => {
  const { jar, send } = client();
  for (const name of [`${COOKIE}.(`, `${COOKIE}.x y`, COOKIE]) jar.set(name, "1");
  expect((await send("session", "GET")).status).toBe(200);
});
