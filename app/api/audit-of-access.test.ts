import { expect, test, vi } from "vitest";
import { hashPassword } from "@/lib/auth/people/passwords";
import { signOut } from "@/lib/auth/sessions/next-auth-options";
import { signIn } from "@/lib/auth/sessions/sign-in";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { createCtx } from "@/lib/db/context";
import type { AuditEvent } from "@/lib/db/generated/client";
import { breakSink, repairSink } from "@/lib/testing/outside";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

// Set before the logger is created: each failed write to the audit logs an error.
vi.hoisted(() => {
  process.env.SKILLGATE_LOG_LEVEL = "silent";
});

const { call, person, database, outside } = await testServer(ROUTE_TABLE);
const [admin, user] = [await person("admin"), await person("user")];
const password = "quiet-harbour-lantern";
const email = `${user.id}@example.test`;
await database.writer.user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword(password) } });

/** A token under a persona acts as an agent. */
const agent = await (async () => {
  const [id, at] = [newId(), new Date()];
  const persona = { id: newId(), name: "Reader", permissionMode: "read-only", allow: "[]", deny: "[]" };
  await database.writer.persona.create({ data: { ...persona, createdAt: at, updatedAt: at } });
  const token = `sgt_${sha256Hex(id)}`;
  const of = { id, userId: user.id, createdBy: user.id, name: "agent", personaId: persona.id };
  const scopes = JSON.stringify(["read", "run"]);
  await database.writer.apiToken.create({ data: { ...of, secretHash: sha256Hex(token), scopes, createdAt: at } });
  return { token };
})();

const anonymousCtx = (address = "192.0.2.1") => {
  const ctx = createCtx({ actor: { kind: "anonymous" }, database });
  return { ...ctx, request: { ...ctx.request, address, requestId: newId() } };
};
const enter = (given: string, address?: string) => signIn(anonymousCtx(address), { email, password: given });
const open = async () => {
  const actor = await enter(password, "192.0.2.2");
  if (actor === null) throw new Error("the password was refused");
  return { ...anonymousCtx("192.0.2.2"), actor };
};
const asAgent = (method: string, address: string, json?: unknown) =>
  call(method, address, { token: agent.token, ...(json === undefined ? {} : { json }) });

type Case = [what: string, act: () => Promise<unknown>, event: Partial<Record<keyof AuditEvent, unknown>>];

const byAgent = { actorKind: "token", actorId: user.id, actorRole: "user", callerKind: "agent", onBehalfOfId: user.id };

const CASES: Case[] = [
  [
    "a sign-in",
    () => enter(password),
    {
      action: "session.start",
      outcome: "ok",
      actorKind: "user",
      actorId: user.id,
      actorRole: "user",
      callerKind: "browser",
    },
  ],
  [
    "a sign-in with a wrong password",
    () => enter("something else"),
    { action: "sign_in.fail", outcome: "refused", actorKind: "anonymous", targetId: user.id, address: "192.0.2.1" },
  ],
  [
    "an account that is locked",
    async () => {
      for (let attempt = 0; attempt < 4; attempt += 1) await enter("something else");
      await expect(enter(password)).rejects.toMatchObject({ code: "rate_limited" });
      await database.writer.signInThrottle.deleteMany();
    },
    { action: "sign_in.lock", outcome: "refused", actorKind: "anonymous", targetId: user.id },
  ],
  [
    "a sign-out",
    async () => signOut(await open()),
    { action: "session.end", outcome: "ok", actorKind: "user", actorId: user.id, callerKind: "browser" },
  ],
  [
    "a refused request",
    () => call("PATCH", "/api/admin/settings", { token: user.token, json: { instanceName: "Mine" } }),
    { action: "request.refuse", outcome: "refused", decision: "refuse", actorId: user.id, callerKind: "api" },
  ],
  [
    "a request of an anonymous caller",
    () => call("GET", "/api/runs"),
    { action: "request.refuse", outcome: "refused", decision: "refuse", actorKind: "anonymous" },
  ],
  [
    "what an agent reads",
    () => asAgent("GET", "/api/skills?q=x"),
    { action: "agent.read", outcome: "ok", ...byAgent, arguments: '{"q":"x"}' },
  ],
  [
    "a tool that an agent calls",
    () => asAgent("POST", "/api/agent/tools/list_skills", { query: "x" }),
    { action: "agent.read", outcome: "ok", ...byAgent, tool: "list_skills" },
  ],
  [
    "a tool that does not do what an agent asked for",
    () => asAgent("POST", "/api/agent/tools/read_skill_file", { name: "nothing", path: "SKILL.md" }),
    { action: "agent.fail", outcome: "failed", ...byAgent, tool: "read_skill_file" },
  ],
  [
    "a tool that an agent may not call",
    () => asAgent("POST", "/api/agent/tools/save_skill", { name: "mine", description: "x", body: "x" }),
    { outcome: "refused", decision: "refuse", ...byAgent, tool: "save_skill" },
  ],
];

const newest = () => database.reader.auditEvent.findFirst({ orderBy: { seq: "desc" } }).then((row) => row?.seq ?? 0);

test.each(CASES)("%s leaves an event that says who, how and from where", async (_, act, event) => {
  const before = await newest();
  await act();
  const rows = await database.reader.auditEvent.findMany({ where: { seq: { gt: before } } });
  expect(rows).toContainEqual(expect.objectContaining(event));
  for (const row of rows) {
    expect(row).toMatchObject({ requestId: expect.any(String), traceId: expect.any(String) });
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/);
  }
});

test("sign-in, sign-out, and reads and calls of an agent fail when their event cannot be stored", async () => {
  const ctx = await open();
  const sessions = () => database.reader.session.findMany({ orderBy: { id: "asc" } });
  const before = await sessions();
  await breakSink(outside, database);
  await expect(enter(password)).rejects.toThrow();
  await expect(signOut(ctx)).rejects.toThrow();
  expect((await asAgent("GET", "/api/skills?q=y")).status).toBe(500);
  expect((await asAgent("POST", "/api/agent/tools/list_skills", {})).status).toBe(500);
  expect(await sessions()).toEqual(before);
  await repairSink(outside, database);
  await signOut(ctx);
  expect((await asAgent("GET", "/api/skills?q=y")).status).toBe(200);
  expect(await sessions()).not.toEqual(before);
});

test("the events are in the chain: a verification by an admin holds", async () => {
  const answer = await call("GET", "/api/audit/verify", { token: admin.token });
  expect(await answer.json()).toMatchObject({ ok: true });
});
