import { expect, test } from "vitest";
import type { PatchUserInput } from "@/lib/auth/schema";
import { createToken } from "@/lib/auth/tokens/tokens";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { deleteUser, getUser, listUsers, updateUser } from "./users";

const { database, person } = await testDatabase();
const admin = await person("admin", "Root");

const eventsOf = (targetId: string) => database.reader.auditEvent.findMany({ where: { targetId } });
const activeTokens = (userId: string) => database.reader.apiToken.count({ where: { userId, revokedAt: null } });

test("the last active admin can be neither demoted nor disabled nor removed", async () => {
  const patches: PatchUserInput[] = [{ role: "reviewer" }, { state: "disabled" }, { role: "user", name: "Nobody" }];
  for (const patch of patches) {
    await expect(updateUser(admin.ctx, { id: admin.id, patch })).rejects.toMatchObject({ code: "conflict" });
  }
  await expect(deleteUser(admin.ctx, admin.id)).rejects.toMatchObject({ code: "conflict" });
  expect(await updateUser(admin.ctx, { id: admin.id, patch: { name: "Root again" } })).toMatchObject({
    name: "Root again",
  });
});

test("of two admins who demote each other one stays", async () => {
  const other = await person("admin");
  const both = await Promise.allSettled([
    updateUser(admin.ctx, { id: other.id, patch: { role: "user" } }),
    updateUser(other.ctx, { id: admin.id, patch: { role: "user" } }),
  ]);
  expect(both.map((answer) => answer.status).sort()).toEqual(["fulfilled", "rejected"]);
  await database.writer.user.update({ where: { id: admin.id }, data: { role: "admin" } });
});

test("a change is one event with the old and the new value; the same again is none", async () => {
  const { id } = await person("user", "Ada");
  const patch = { role: "reviewer", name: "Ada L." } as const;
  expect(await updateUser(admin.ctx, { id, patch })).toMatchObject({ ...patch, state: "active" });
  await updateUser(admin.ctx, { id, patch });
  const [event, ...others] = await eventsOf(id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ action: "user.update", actorId: admin.id });
  expect(JSON.parse(event?.data ?? "")).toEqual({ before: { role: "user", name: "Ada" }, after: patch });
});

test("disabling ends sessions and rests tokens; removing revokes them for good", async () => {
  const member = await person("user");
  const at = new Date();
  const session = { userId: member.id, createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 1000) };
  await database.writer.session.create({ data: { id: newId(), ...session } });
  await createToken(member.ctx, { name: "cli", scopes: ["read"] });

  await updateUser(admin.ctx, { id: member.id, patch: { state: "disabled" } });
  expect(await database.reader.session.count({ where: { userId: member.id, revokedAt: null } })).toBe(0);
  expect(await activeTokens(member.id)).toBe(1);

  await deleteUser(admin.ctx, member.id);
  expect(await activeTokens(member.id)).toBe(0);
  expect(await getUser(admin.ctx, member.id)).toMatchObject({ state: "disabled" });
  expect((await eventsOf(member.id)).map((event) => event.action)).toEqual(["user.update", "user.delete"]);
});

test("people are listed page by page, with when they were last seen", async () => {
  const member = await person("user");
  const seen = new Date(Date.now() - 5000);
  const session = { userId: member.id, createdAt: seen, lastSeenAt: seen, expiresAt: seen };
  await database.writer.session.create({ data: { id: newId(), ...session } });
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await listUsers(admin.ctx, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found).toHaveLength(await database.reader.user.count());
  expect(found.at(-1)).toMatchObject({ id: member.id, lastSeenAt: seen.toISOString() });
});

test("others than admins, and read-only tokens, neither see nor change people", async () => {
  const { id, ctx } = await person("reviewer");
  for (const refused of [ctx, admin.token(["read", "write"])]) {
    const forbidden = { code: "forbidden" };
    await expect(listUsers(refused, { limit: 50 })).rejects.toMatchObject(forbidden);
    await expect(getUser(refused, id)).rejects.toMatchObject(forbidden);
    await expect(updateUser(refused, { id, patch: { role: "admin" } })).rejects.toMatchObject(forbidden);
    await expect(deleteUser(refused, id)).rejects.toMatchObject(forbidden);
  }
  await expect(getUser(admin.ctx, "absent")).rejects.toMatchObject({ code: "not_found" });
  await expect(updateUser(admin.ctx, { id: "absent", patch: { role: "user" } })).rejects.toMatchObject({
    code: "not_found",
  });
});
