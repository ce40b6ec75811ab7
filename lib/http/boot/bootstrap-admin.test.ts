import { expect, test } from "vitest";
import { completeSetup } from "@/lib/auth/people/setup";
import { authenticateBearer } from "@/lib/auth/sessions/authenticate-request";
import { signIn } from "@/lib/auth/sessions/sign-in";
import { type Env, parseEnv } from "@/lib/core/env";
import { getSettings } from "@/lib/settings/settings";
import { testDatabase } from "@/lib/testing/test-database";
import { bootstrapAdmin } from "./boot-server";

const admin = { SKILLGATE_ADMIN_EMAIL: "Root@Example.test", SKILLGATE_ADMIN_PASSWORD: "a quiet long river" };
const tokenA = `sgt_${"a".repeat(43)}`;
const tokenB = `sgt_${"b".repeat(43)}`;

function env(source: Record<string, string>): Env {
  const parsed = parseEnv(source);
  if ("problems" in parsed) throw new Error(parsed.problems.join());
  return parsed.env;
}

const { as, database, system } = await testDatabase();
const visitor = as({ kind: "anonymous" });
const events = (action: string) => database.reader.auditEvent.count({ where: { action } });
const setupToken = (url: string | null) => new URL(url ?? "").searchParams.get("token") ?? "";

test("without an admin each start prints a fresh link, and the one before is void", async () => {
  const source = env({ PUBLIC_URL: "https://skills.example.test/", SKILLGATE_SOLO_MODE: "false" });
  const first = (await bootstrapAdmin(system, source)).setupUrl;
  const second = (await bootstrapAdmin(system, source)).setupUrl;
  expect(first).toMatch(/^https:\/\/skills\.example\.test\/setup\?token=[A-Za-z0-9_-]{43}$/);
  expect(second).not.toBe(first);
  const input = { name: "Eve", email: "eve@example.test", password: "a quiet long river" };
  await expect(completeSetup(visitor, { ...input, token: setupToken(first) })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await events("setup.open")).toBe(2);
});

test("solo mode of the environment is stored at the first start and only then", async () => {
  expect((await getSettings(system)).soloMode).toBe(false);
  expect(await events("settings.update")).toBe(1);
  await bootstrapAdmin(system, env(admin));
  await bootstrapAdmin(system, env({ SKILLGATE_SOLO_MODE: "true" }));
  expect((await getSettings(system)).soloMode).toBe(false);
});

test("the admin of the environment can sign in, is made once, and no link is printed", async () => {
  expect(await bootstrapAdmin(system, env(admin))).toEqual({ setupUrl: null });
  const person = await signIn(visitor, { email: "root@example.test", password: admin.SKILLGATE_ADMIN_PASSWORD });
  expect(person).toMatchObject({ role: "admin" });
  expect(await database.reader.user.count()).toBe(1);
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { action: "user.create" } });
  expect(event).toMatchObject({ actorKind: "system" });
});

test("its token works from the first start on, is registered once, and a new one replaces it", async () => {
  const first = env({ ...admin, SKILLGATE_ADMIN_TOKEN: tokenA });
  await bootstrapAdmin(system, first);
  await bootstrapAdmin(system, first);
  expect(await authenticateBearer(visitor, tokenA)).toMatchObject({
    kind: "token",
    role: "admin",
    scopes: ["read", "run", "write", "review", "admin"],
  });
  expect(await events("token.create")).toBe(1);

  await bootstrapAdmin(system, env({ ...admin, SKILLGATE_ADMIN_TOKEN: tokenB }));
  expect(await authenticateBearer(visitor, tokenB)).toMatchObject({ role: "admin" });
  await expect(authenticateBearer(visitor, tokenA)).rejects.toMatchObject({ code: "unauthenticated" });
  await bootstrapAdmin(system, first);
  await expect(authenticateBearer(visitor, tokenA)).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await authenticateBearer(visitor, tokenB)).toMatchObject({ role: "admin" });
});

test("only the server itself may bootstrap the admin", async () => {
  const { person } = await testDatabase();
  const root = await person("user");
  await expect(bootstrapAdmin(root.ctx, env({}))).rejects.toMatchObject({ code: "forbidden" });
});
