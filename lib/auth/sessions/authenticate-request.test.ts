import { encode } from "next-auth/jwt";
import { afterEach, expect, test, vi } from "vitest";
import { deleteUser, updateUser } from "@/lib/auth/people/users";
import { createToken, revokeToken } from "@/lib/auth/tokens/tokens";
import type { Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { effectiveScopes } from "@/lib/policy/require-scope";
import { testDatabase } from "@/lib/testing/test-database";
import { authenticateRequest } from "./authenticate-request";
import { signOut } from "./next-auth-options";

const secret = "0123456789abcdef0123456789abcdef";
const COOKIE = "next-auth.session-token";
vi.stubEnv("NEXTAUTH_SECRET", secret);
const { as, database, person } = await testDatabase();
const admin = await person("admin", "Root");
await person("admin", "Second");

afterEach(() => vi.stubEnv("NEXTAUTH_URL", "http://127.0.0.1:3000"));

const get = (headers: Record<string, string>, url = "http://127.0.0.1:3000/api/me") => new Request(url, { headers });
const anonymous = (now?: () => Date) => as({ kind: "anonymous" }, now);
const authenticate = (headers: Record<string, string>, now?: () => Date) =>
  authenticateRequest(anonymous(now), get(headers));

async function browser(role: "user" | "reviewer" | "admin" = "user") {
  const stored = await person(role);
  const sid = newId();
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 12 * 3_600_000);
  await database.writer.session.create({
    data: { id: sid, userId: stored.id, createdAt: at, lastSeenAt: at, expiresAt },
  });
  const jwt = await encode({ token: { uid: stored.id, sid }, secret });
  return { ...stored, sid, jwt, headers: { cookie: `theme=dark; ${COOKIE}=${jwt}` } };
}

async function bearer(role: "user" | "reviewer" | "admin", scopes: Scope[]) {
  const stored = await person(role);
  const token = await createToken(stored.ctx, { name: "cli", scopes });
  return { ...stored, tokenId: token.id, headers: { authorization: `Bearer ${token.token}` } };
}

test("a session cookie stands for the person, as the database knows them", async () => {
  const { id, sid, headers } = await browser("reviewer");
  expect(await authenticate(headers)).toEqual({
    kind: "user",
    userId: id,
    name: "Test reviewer",
    email: `${id}@example.test`,
    role: "reviewer",
    sessionId: sid,
  });
});

test("a cookie in chunks is put together, in order of number", async () => {
  const { sid, jwt } = await browser();
  const size = Math.ceil(jwt.length / 12);
  const chunks = Array.from({ length: 12 }, (_, i) => `${COOKIE}.${i}=${jwt.slice(i * size, (i + 1) * size)}`);
  expect(await authenticate({ cookie: chunks.reverse().join("; ") })).toMatchObject({ sessionId: sid });
});

test("on https only the cookie with the secure prefix counts, elsewhere only the one without", async () => {
  const { sid, jwt, headers } = await browser();
  const secure = { cookie: `__Secure-${COOKIE}=${jwt}` };
  expect(await authenticate(secure)).toEqual({ kind: "anonymous" });
  vi.stubEnv("NEXTAUTH_URL", "https://skills.example.test");
  expect(await authenticate(secure)).toMatchObject({ sessionId: sid });
  expect(await authenticate(headers)).toEqual({ kind: "anonymous" });
});

test("missing, malformed and foreign cookies, and cookies with other claims, are anonymous", async () => {
  const { id, sid } = await browser();
  const foreign = await encode({ token: { uid: id, sid }, secret: "another secret of more than 32 characters" });
  const claimless = await encode({ token: { sub: id }, secret });
  const other = await encode({ token: { uid: newId(), sid }, secret });
  for (const value of ["", "garbage", "a.b.c.d.e", "%", foreign, claimless, other]) {
    expect(await authenticate({ cookie: `${COOKIE}=${value}` })).toEqual({ kind: "anonymous" });
  }
  expect(await authenticate({})).toEqual({ kind: "anonymous" });
});

test("a session ends when it is signed out, when it expires and when its person is disabled", async () => {
  const [left, late, disabled] = [await browser(), await browser(), await browser()];
  await signOut(as(await authenticate(left.headers)));
  expect(await authenticate(left.headers)).toEqual({ kind: "anonymous" });
  expect(await authenticate(late.headers, () => new Date(Date.now() + 12 * 3_600_000))).toEqual({ kind: "anonymous" });
  await updateUser(admin.ctx, { id: disabled.id, patch: { state: "disabled" } });
  expect(await authenticate(disabled.headers)).toEqual({ kind: "anonymous" });
  await updateUser(admin.ctx, { id: disabled.id, patch: { name: "Still disabled" } });
  expect(await authenticate(disabled.headers)).toEqual({ kind: "anonymous" });
});

test("a demoted admin is a user at the next request, by cookie and by token", async () => {
  const [cookie, token] = [await browser("admin"), await bearer("admin", ["read", "review", "admin"])];
  for (const { id } of [cookie, token]) await updateUser(admin.ctx, { id, patch: { role: "user" } });
  expect(await authenticate(cookie.headers)).toMatchObject({ role: "user" });
  const actor = await authenticate(token.headers);
  expect(actor).toMatchObject({ kind: "token", role: "user" });
  expect(effectiveScopes(actor)).toEqual(["read"]);
});

test("a token stands for its person with its own scopes, and its last use is noted at most once a minute", async () => {
  const { id, tokenId, headers } = await bearer("user", ["run", "read"]);
  const start = Date.now();
  const lastUse = async (atMs: number) => {
    expect(await authenticate(headers, () => new Date(start + atMs))).toMatchObject({
      kind: "token",
      userId: id,
      tokenName: "cli",
      scopes: ["read", "run"],
      personaId: null,
    });
    const row = await database.reader.apiToken.findUniqueOrThrow({ where: { id: tokenId } });
    return (row.lastUsedAt?.getTime() ?? Number.NaN) - start;
  };
  expect(await lastUse(0)).toBe(0);
  expect(await lastUse(59_000)).toBe(0);
  expect(await lastUse(61_000)).toBe(61_000);
});

test("a session’s last use is noted at most once a minute", async () => {
  const { sid, headers } = await browser();
  const { lastSeenAt: start } = await database.reader.session.findUniqueOrThrow({ where: { id: sid } });
  const lastSeen = async (atMs: number) => {
    await authenticate(headers, () => new Date(start.getTime() + atMs));
    const row = await database.reader.session.findUniqueOrThrow({ where: { id: sid } });
    return row.lastSeenAt.getTime() - start.getTime();
  };
  expect(await lastSeen(59_000)).toBe(0);
  expect(await lastSeen(61_000)).toBe(61_000);
});

test("a token ends when it is revoked, when it expires and when its person is disabled or removed", async () => {
  const refused = { code: "unauthenticated" };
  const revoked = await bearer("user", ["read"]);
  await revokeToken(revoked.ctx, revoked.tokenId);
  await expect(authenticate(revoked.headers)).rejects.toMatchObject(refused);

  const disabled = await bearer("user", ["read"]);
  const inNinetyDays = () => new Date(Date.now() + 90 * 24 * 3_600_000);
  await expect(authenticate(disabled.headers, inNinetyDays)).rejects.toMatchObject(refused);
  await updateUser(admin.ctx, { id: disabled.id, patch: { state: "disabled" } });
  await expect(authenticate(disabled.headers)).rejects.toMatchObject(refused);

  const removed = await bearer("user", ["read"]);
  await deleteUser(admin.ctx, removed.id);
  await expect(authenticate(removed.headers)).rejects.toMatchObject(refused);
});

test("a bad bearer token is refused even beside a good cookie, and in the address it is not looked at", async () => {
  const { headers, sid } = await browser();
  for (const given of ["Bearer", "Bearer nonsense", `bearer sgt_${"a".repeat(43)}`, `Bearer sgw_${"a".repeat(43)}`]) {
    await expect(authenticate({ ...headers, authorization: given })).rejects.toMatchObject({ code: "unauthenticated" });
  }
  // A proxy in front of the server may require its own password.
  expect(await authenticate({ ...headers, authorization: "Basic Zm9vOmJhcg==" })).toMatchObject({ sessionId: sid });
  const token = (await bearer("user", ["read"])).headers.authorization.slice("Bearer ".length);
  const inAddress = get({}, `http://127.0.0.1:3000/api/me?token=${token}&access_token=${token}`);
  expect(await authenticateRequest(anonymous(), inAddress)).toEqual({ kind: "anonymous" });
});

test("a worker token stands for the worker until it is revoked", async () => {
  const id = newId();
  const secretText = `sgw_${"w".repeat(43)}`;
  const headers = { authorization: `Bearer ${secretText}` };
  const data = { id, name: "local", manager: true, slots: 1, inventory: "{}", createdAt: new Date() };
  await database.writer.worker.create({ data: { ...data, secretHash: sha256Hex(secretText) } });
  expect(await authenticate(headers)).toEqual({ kind: "worker", workerId: id, name: "local", manager: true });
  await database.writer.worker.update({ where: { id }, data: { revokedAt: new Date() } });
  await expect(authenticate(headers)).rejects.toMatchObject({ code: "unauthenticated" });
});
