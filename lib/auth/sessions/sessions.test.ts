import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { signOut } from "./next-auth-options";
import { listSessions, revokeSession, signOutEverywhere } from "./sessions";

const { as, database, person } = await testDatabase();
const admin = await person("admin", "Root");

async function session(userId: string, id = newId(), hours = 12) {
  const at = new Date();
  const expiresAt = new Date(at.getTime() + hours * 3_600_000);
  await database.writer.session.create({ data: { id, userId, createdAt: at, lastSeenAt: at, expiresAt } });
  return id;
}

const live = async (ctx: Parameters<typeof listSessions>[0]) =>
  (await listSessions(ctx, { limit: 50 })).items.map(({ id, current }) => [id, current]);
const actions = async (targetId: string) =>
  (await database.reader.auditEvent.findMany({ where: { targetId } })).map((event) => event.action);

test("a person sees their own live sessions, newest first, and which one they use", async () => {
  const { id, actor, ctx } = await person("user");
  const current = await session(id, actor.kind === "user" ? actor.sessionId : "");
  const second = await session(id);
  await session(id, newId(), -1);
  await session(admin.id);
  expect(await live(ctx)).toEqual([
    [second, false],
    [current, true],
  ]);
});

test("its person or an admin ends a session, once; to others it does not exist", async () => {
  const [owner, stranger] = [await person("user"), await person("reviewer")];
  const [first, second] = [await session(owner.id), await session(owner.id)];
  await expect(revokeSession(stranger.ctx, first)).rejects.toMatchObject({ code: "not_found" });
  await expect(revokeSession(owner.token(["read"]), first)).rejects.toMatchObject({ code: "forbidden" });
  await revokeSession(owner.ctx, first);
  await revokeSession(admin.ctx, second);
  await expect(revokeSession(owner.ctx, first)).rejects.toMatchObject({ code: "not_found" });
  expect(await live(owner.ctx)).toEqual([]);
  expect(await actions(first)).toEqual(["session.revoke"]);
});

test("signing out ends the one session, and a second time changes nothing", async () => {
  const { id, actor, ctx } = await person("user");
  const current = await session(id, actor.kind === "user" ? actor.sessionId : "");
  const other = await session(id);
  await signOut(ctx);
  await signOut(ctx);
  await signOut(as({ kind: "anonymous" }));
  expect(await live(ctx)).toEqual([[other, false]]);
  expect(await actions(current)).toEqual(["session.end"]);
});

test("signing out everywhere ends all sessions of that person only, and a token cannot", async () => {
  const { id, ctx, token } = await person("user");
  const stays = await session(admin.id);
  await session(id);
  await session(id);
  await expect(signOutEverywhere(token(["read", "write"]))).rejects.toMatchObject({ code: "forbidden" });
  await expect(signOutEverywhere(as({ kind: "anonymous" }))).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await signOutEverywhere(ctx)).toEqual({ revoked: 2 });
  expect(await live(ctx)).toEqual([]);
  expect(await database.reader.session.findUnique({ where: { id: stays } })).toMatchObject({ revokedAt: null });
  expect(await actions(id)).toEqual(["session.revoke_all"]);
});
