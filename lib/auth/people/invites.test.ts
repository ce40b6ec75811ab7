import { expect, test } from "vitest";
import { signIn } from "@/lib/auth/sessions/sign-in";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { acceptInvite, createInvite, inviteUser } from "./invites";
import { deleteUser, updateUser } from "./users";

const { as, database, person } = await testDatabase();
const admin = await person("admin");
const visitor = as({ kind: "anonymous" });
const inEightDays = as({ kind: "anonymous" }, () => new Date(Date.now() + 8 * 24 * 3_600_000));
const password = "a quiet long river";
const invitation = () => ({ email: `${newId()}@example.test`, name: "Grace", role: "reviewer" }) as const;

test("an invited person sets a password once and can then sign in", async () => {
  const { user, token } = await inviteUser(admin.ctx, invitation());
  expect(user).toMatchObject({ state: "invited", role: "reviewer", lastSeenAt: null });
  expect(await signIn(visitor, { email: user.email, password })).toBeNull();
  expect(await acceptInvite(visitor, { token, password })).toEqual({ email: user.email });
  expect(await signIn(visitor, { email: user.email, password })).toMatchObject({ userId: user.id, role: "reviewer" });
  await expect(acceptInvite(visitor, { token, password: "another long river" })).rejects.toMatchObject({
    code: "conflict",
  });
  const events = await database.reader.auditEvent.findMany({ where: { targetId: user.id }, orderBy: { seq: "asc" } });
  expect(events.map(({ action, actorKind }) => [action, actorKind])).toEqual([
    ["user.invite", "user"],
    ["sign_in.fail", "anonymous"],
    ["user.join", "anonymous"],
  ]);
  expect(JSON.stringify(events)).not.toContain(token);
});

test("of two who accept at the same time one wins", async () => {
  const { token } = await inviteUser(admin.ctx, invitation());
  const both = await Promise.allSettled([
    acceptInvite(visitor, { token, password }),
    acceptInvite(visitor, { token, password: "another long river" }),
  ]);
  expect(both.map((answer) => answer.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("an unknown, expired, replaced or withdrawn link is refused", async () => {
  await expect(acceptInvite(visitor, { token: "guess", password })).rejects.toMatchObject({ code: "not_found" });

  const { user, token: first } = await inviteUser(admin.ctx, invitation());
  await expect(acceptInvite(inEightDays, { token: first, password })).rejects.toMatchObject({ code: "conflict" });
  const { token: second } = await createInvite(admin.ctx, user.id);
  await expect(acceptInvite(visitor, { token: first, password })).rejects.toMatchObject({ code: "conflict" });
  await deleteUser(admin.ctx, user.id);
  await expect(acceptInvite(visitor, { token: second, password })).rejects.toMatchObject({ code: "conflict" });
  await expect(updateUser(admin.ctx, { id: user.id, patch: { state: "active" } })).rejects.toMatchObject({
    code: "conflict",
  });

  const { token: third } = await createInvite(admin.ctx, user.id);
  expect(await acceptInvite(visitor, { token: third, password })).toEqual({ email: user.email });
});

test("a password that is easy to guess leaves the link as it was", async () => {
  const { token } = await inviteUser(admin.ctx, invitation());
  await expect(acceptInvite(visitor, { token, password: "password1234" })).rejects.toMatchObject({ code: "invalid" });
  await acceptInvite(visitor, { token, password });
});

test("a person is invited once, and gets no new link after joining", async () => {
  const again = invitation();
  const { user, token } = await inviteUser(admin.ctx, again);
  await expect(inviteUser(admin.ctx, again)).rejects.toMatchObject({ code: "conflict" });
  await acceptInvite(visitor, { token, password });
  await expect(createInvite(admin.ctx, user.id)).rejects.toMatchObject({ code: "conflict" });
  await expect(createInvite(admin.ctx, newId())).rejects.toMatchObject({ code: "not_found" });
});

test("only admins invite, and not with a read-only token", async () => {
  const reviewer = await person("reviewer");
  for (const ctx of [reviewer.ctx, admin.token(["read"]), admin.token(["read", "admin"], newId())]) {
    await expect(inviteUser(ctx, invitation())).rejects.toMatchObject({ code: "forbidden" });
    await expect(createInvite(ctx, reviewer.id)).rejects.toMatchObject({ code: "forbidden" });
  }
});
