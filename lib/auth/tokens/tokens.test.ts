import { expect, test } from "vitest";
import { createPersona } from "@/lib/auth/personas";
import type { Role, Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { createToken, getToken, listTokens, revokeToken } from "./tokens";

const { as, database, person } = await testDatabase();
const admin = await person("admin", "Root");
const persona = await createPersona(admin.ctx, { name: "Agent", permissionMode: "read-only" });
const DAY_MS = 24 * 3_600_000;

test("a token is shown once, stored as a hash, and ends in ninety days", async () => {
  const { id, actor } = await person("user", "Ada");
  const now = new Date();
  const ctx = as(actor, () => now);
  const created = await createToken(ctx, { name: "cli", scopes: ["run", "read", "run"] });
  expect(created).toMatchObject({
    userId: id,
    userName: "Ada",
    scopes: ["read", "run"],
    persona: null,
    lastUsedAt: null,
  });
  expect(created.token).toMatch(/^sgt_[A-Za-z0-9_-]{43}$/);
  expect(Date.parse(created.expiresAt ?? "") - Date.parse(created.createdAt)).toBe(90 * DAY_MS);
  const row = await database.reader.apiToken.findUniqueOrThrow({ where: { id: created.id } });
  expect(row.secretHash).toBe(sha256Hex(created.token));
  const { token, ...shown } = created;
  expect(await getToken(ctx, created.id)).toEqual(shown);
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { action: "token.create", targetId: created.id },
  });
  expect(event.actorId).toBe(id);
  expect(JSON.stringify(event)).not.toContain(token);
});

test.each<[Role, Scope[]]>([
  ["user", ["review"]],
  ["user", ["read", "admin"]],
  ["reviewer", ["admin"]],
])("a %s cannot make a token with %j", async (role, scopes) => {
  const { ctx } = await person(role);
  await expect(createToken(ctx, { name: "cli", scopes })).rejects.toMatchObject({ code: "forbidden" });
});

test("a token makes no token that has more than itself or outlives it", async () => {
  const { actor, token } = await person("admin");
  await expect(createToken(token(["read", "write"]), { name: "cli", scopes: ["run"] })).rejects.toMatchObject({
    code: "forbidden",
  });
  const endsAt = new Date(Date.now() + DAY_MS);
  const parent = await createToken(as(actor), { name: "parent", scopes: ["write"], expiresAt: endsAt.toISOString() });
  const { sessionId: _, ...self } = actor;
  const ctx = as({
    ...self,
    kind: "token",
    tokenId: parent.id,
    tokenName: "parent",
    scopes: ["write"],
    personaId: null,
  });
  expect(await createToken(ctx, { name: "child", scopes: ["write"] })).toMatchObject({
    expiresAt: endsAt.toISOString(),
  });
  const later = new Date(endsAt.getTime() + 1).toISOString();
  await expect(createToken(ctx, { name: "child", scopes: ["write"], expiresAt: later })).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "expiresAt" }],
  });
});

test("an expiry in the past is invalid", async () => {
  const input = { name: "cli", scopes: ["read" as const], expiresAt: new Date().toISOString() };
  await expect(createToken(admin.ctx, input)).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "expiresAt" }],
  });
});

test("an admin creates tokens for other people, but never deciding ones", async () => {
  const reviewer = await person("reviewer", "Grace");
  const input = { name: "bot", userId: reviewer.id };
  expect(await createToken(admin.ctx, { ...input, scopes: ["read", "run"] })).toMatchObject({ userName: "Grace" });
  for (const scopes of [["review"], ["read", "admin"]] satisfies Scope[][]) {
    await expect(createToken(admin.ctx, { ...input, scopes })).rejects.toMatchObject({ code: "forbidden" });
  }
  const own = await createToken(admin.ctx, { name: "own", userId: admin.id, scopes: ["review", "admin"] });
  expect(own.scopes).toEqual(["review", "admin"]);
});

test("only admins create tokens for other people, and only for existing ones", async () => {
  const { ctx, token } = await person("reviewer");
  const input = { name: "bot", scopes: ["read" as const] };
  await expect(createToken(ctx, { ...input, userId: admin.id })).rejects.toMatchObject({ code: "forbidden" });
  await expect(createToken(token(["read", "write"]), { ...input, userId: admin.id })).rejects.toMatchObject({
    code: "forbidden",
  });
  await expect(createToken(admin.ctx, { ...input, userId: newId() })).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "userId" }],
  });
});

test("a token under a persona never decides, and makes and revokes no tokens", async () => {
  const input = { name: "agent", persona: persona.id };
  const agent = await createToken(admin.ctx, { ...input, scopes: ["read", "write"] });
  expect(agent).toMatchObject({ persona: persona.id, personaName: "Agent" });
  for (const scopes of [["review"], ["read", "admin"]] satisfies Scope[][]) {
    await expect(createToken(admin.ctx, { ...input, scopes })).rejects.toMatchObject({ code: "invalid" });
  }
  await expect(createToken(admin.ctx, { name: "agent", persona: newId(), scopes: ["read"] })).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "persona" }],
  });
  const asAgent = admin.token(["read", "write"], persona.id);
  await expect(createToken(asAgent, { name: "free", scopes: ["read"] })).rejects.toMatchObject({ code: "forbidden" });
  await expect(revokeToken(asAgent, agent.id)).rejects.toMatchObject({ code: "forbidden" });
});

test("its owner or an admin revokes a token, once; to others it does not exist", async () => {
  const [owner, stranger] = [await person("user"), await person("reviewer")];
  const [first, second] = [
    await createToken(owner.ctx, { name: "first", scopes: ["read"] }),
    await createToken(owner.ctx, { name: "second", scopes: ["read"] }),
  ];
  await expect(getToken(stranger.ctx, first.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(revokeToken(stranger.ctx, first.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(revokeToken(owner.token(["read"]), first.id)).rejects.toMatchObject({ code: "forbidden" });
  await revokeToken(owner.ctx, first.id);
  await revokeToken(admin.ctx, second.id);
  await expect(revokeToken(owner.ctx, first.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(getToken(owner.ctx, first.id)).rejects.toMatchObject({ code: "not_found" });
  const events = await database.reader.auditEvent.findMany({
    where: { action: "token.revoke" },
    orderBy: { seq: "asc" },
  });
  expect(events.map(({ targetId, actorId }) => [targetId, actorId])).toEqual([
    [first.id, owner.id],
    [second.id, admin.id],
  ]);
});

test("a list holds one’s own tokens, newest first; an admin also sees others’", async () => {
  const [mine, other] = [await person("user"), await person("user")];
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) ids.unshift((await createToken(mine.ctx, { name, scopes: ["read"] })).id);
  const foreign = await createToken(other.ctx, { name: "foreign", scopes: ["read"] });

  const first = await listTokens(mine.ctx, { limit: 2 });
  const rest = await listTokens(mine.ctx, { limit: 2, cursor: first.nextCursor ?? "" });
  expect([...first.items, ...rest.items].map((token) => token.id)).toEqual(ids);
  expect(rest.nextCursor).toBeNull();

  expect((await listTokens(admin.ctx, { limit: 100, user: other.id })).items.map(({ id }) => id)).toEqual([foreign.id]);
  expect((await listTokens(admin.ctx, { limit: 100, all: true })).items.length).toBeGreaterThan(4);
  await expect(listTokens(mine.ctx, { limit: 50, user: other.id })).rejects.toMatchObject({ code: "forbidden" });
  await expect(listTokens(mine.ctx, { limit: 50, all: true })).rejects.toMatchObject({ code: "forbidden" });
});

test("a read-only token makes no token", async () => {
  await expect(createToken(admin.token(["read"]), { name: "cli", scopes: ["read"] })).rejects.toMatchObject({
    code: "forbidden",
  });
});
