import { expect, test } from "vitest";
import { signIn } from "@/lib/auth/sessions/sign-in";
import { testDatabase } from "@/lib/testing/test-database";
import { completeSetup, openSetup } from "./setup";

const { as, database, person, system } = await testDatabase();
const visitor = as({ kind: "anonymous" });
const input = { name: "Ada", email: "ada@example.test", password: "a quiet long river" };
const inEightDays = as({ kind: "anonymous" }, () => new Date(Date.now() + 8 * 24 * 3_600_000));

test("only the server itself opens the set-up", async () => {
  const { ctx } = await person("user");
  await expect(openSetup(ctx)).rejects.toMatchObject({ code: "forbidden" });
  await expect(openSetup(visitor)).rejects.toMatchObject({ code: "forbidden" });
});

test("an unknown, outdated or expired link, and a common password, create no person", async () => {
  const old = await openSetup(system);
  const token = await openSetup(system);
  await expect(completeSetup(visitor, { ...input, token: "guess" })).rejects.toMatchObject({ code: "not_found" });
  await expect(completeSetup(visitor, { ...input, token: old })).rejects.toMatchObject({ code: "conflict" });
  await expect(completeSetup(inEightDays, { ...input, token })).rejects.toMatchObject({ code: "conflict" });
  const weak = { ...input, password: "password1234", token };
  await expect(completeSetup(visitor, weak)).rejects.toMatchObject({ code: "invalid" });
  expect(await database.reader.user.count({ where: { role: "admin" } })).toBe(0);
});

test("the link makes one admin, who can sign in, and works once even for two at the same time", async () => {
  const token = await openSetup(system);
  const both = await Promise.allSettled([
    completeSetup(visitor, { ...input, token }),
    completeSetup(visitor, { ...input, email: "eve@example.test", token }),
  ]);
  expect(both.map((answer) => answer.status).sort()).toEqual(["fulfilled", "rejected"]);
  const admins = await database.reader.user.findMany({ where: { role: "admin", state: "active" } });
  expect(admins).toHaveLength(1);
  expect(await signIn(visitor, { email: admins[0]?.email ?? "", password: input.password })).toMatchObject({
    role: "admin",
  });
  const events = await database.reader.auditEvent.findMany({ where: { targetId: admins[0]?.id ?? "" } });
  expect(events.map((event) => event.action).sort()).toEqual(["setup.complete", "user.create"]);
});

test("once there is an admin no set-up is opened or completed", async () => {
  await expect(openSetup(system)).rejects.toMatchObject({ code: "conflict" });
  await expect(completeSetup(visitor, { ...input, token: "guess" })).rejects.toMatchObject({ code: "conflict" });
});
