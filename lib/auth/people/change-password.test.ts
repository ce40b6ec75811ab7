import { expect, test } from "vitest";
import { signIn } from "@/lib/auth/sessions/sign-in";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { changePassword } from "./change-password";
import { hashPassword } from "./passwords";

const { as, database, person } = await testDatabase();
const OLD = "a long enough first secret";
const NEW = "another quite long secret";

async function withPassword() {
  const stored = await person();
  await database.writer.user.update({ where: { id: stored.id }, data: { passwordHash: await hashPassword(OLD) } });
  return { ...stored, email: stored.actor.kind === "user" ? stored.actor.email : "" };
}

test("the new password signs in, the old one does not, other sessions end and the event tells", async () => {
  const { id, ctx, email } = await withPassword();
  const at = new Date();
  const other = { id: newId(), userId: id, createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 60_000) };
  await database.writer.session.create({ data: other });
  await changePassword(ctx, { current: OLD, password: NEW });
  const anonymous = as({ kind: "anonymous" });
  expect(await signIn(anonymous, { email, password: OLD })).toBeNull();
  expect(await signIn(anonymous, { email, password: NEW })).toMatchObject({ userId: id });
  expect((await database.reader.session.findUniqueOrThrow({ where: { id: other.id } })).revokedAt).not.toBeNull();
  const event = await database.reader.auditEvent.findFirstOrThrow({
    where: { action: "user.change_password", actorId: id },
  });
  expect(JSON.parse(event.data)).toEqual({ otherSessionsEnded: 1 });
});

test("a wrong current password changes nothing and is throttled like a sign-in", async () => {
  const { id, ctx } = await withPassword();
  const before = await database.reader.user.findUniqueOrThrow({ where: { id } });
  const guess = () => changePassword(ctx, { current: "not the right one", password: NEW });
  for (let index = 0; index < 5; index++) await expect(guess()).rejects.toMatchObject({ code: "invalid" });
  await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
  expect(await database.reader.user.findUniqueOrThrow({ where: { id } })).toEqual(before);
});

test("a token changes no password", async () => {
  const { token } = await withPassword();
  await expect(changePassword(token(["read", "write"]), { current: OLD, password: NEW })).rejects.toMatchObject({
    code: "forbidden",
  });
});
