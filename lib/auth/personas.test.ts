import { expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { testDatabase } from "@/lib/testing/test-database";
import { createPersona, deletePersona, getPersona, listPersonas, updatePersona } from "./personas";
import { createToken, revokeToken } from "./tokens/tokens";

const { database, person } = await testDatabase();
const admin = await person("admin");
const input = (name: string) => ({
  name,
  permissionMode: "mutating-with-confirm" as const,
  allow: ["csv-*"],
});

test("a persona is added, changed and removed, with an event each", async () => {
  const persona = await createPersona(admin.ctx, input("Analyst"));
  expect(persona).toMatchObject({ ...input("Analyst"), deny: [] });
  const patch = { name: "Auditor", deny: ["csv-delete"], permissionMode: "mutating-with-confirm" as const };
  expect(await updatePersona(admin.ctx, { id: persona.id, patch })).toMatchObject({ ...patch, allow: ["csv-*"] });
  await updatePersona(admin.ctx, { id: persona.id, patch });
  expect(await getPersona(admin.ctx, persona.id)).toMatchObject(patch);
  await deletePersona(admin.ctx, persona.id);
  await expect(getPersona(admin.ctx, persona.id)).rejects.toMatchObject({ code: "not_found" });
  const where = { targetId: persona.id };
  const events = await database.reader.auditEvent.findMany({ where, orderBy: { seq: "asc" } });
  expect(events.map((event) => event.action)).toEqual(["persona.create", "persona.update", "persona.delete"]);
  expect(JSON.parse(events[1]?.data ?? "")).toEqual({
    before: { name: "Analyst", deny: [] },
    after: { name: "Auditor", deny: ["csv-delete"] },
  });
});

test("two personas never have the same name", async () => {
  await createPersona(admin.ctx, input("One"));
  const { id } = await createPersona(admin.ctx, input("Two"));
  await expect(createPersona(admin.ctx, input("One"))).rejects.toMatchObject({ code: "conflict" });
  await expect(updatePersona(admin.ctx, { id, patch: { name: "One" } })).rejects.toMatchObject({ code: "conflict" });
});

test("a persona stays while a live token acts under it, and no token loses its persona and lives", async () => {
  const { id } = await createPersona(admin.ctx, input("In use"));
  const scopes = ["read" as const];
  const live = await createToken(admin.ctx, { name: "live", scopes, persona: id });
  const expired = await createToken(admin.ctx, { name: "expired", scopes, persona: id });
  await database.writer.apiToken.update({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
  await expect(deletePersona(admin.ctx, id)).rejects.toMatchObject({ code: "conflict" });
  await revokeToken(admin.ctx, live.id);
  await deletePersona(admin.ctx, id);
  expect(await database.reader.apiToken.count({ where: { userId: admin.id, revokedAt: null } })).toBe(0);
});

test("personas are listed by name, page by page", async () => {
  const first = await listPersonas(admin.ctx, { limit: 1 });
  const rest = await listPersonas(admin.ctx, { limit: 50, cursor: first.nextCursor ?? "" });
  const names = [...first.items, ...rest.items].map((persona) => persona.name);
  expect(names).toEqual([...names].sort());
  expect(names).toHaveLength(await database.reader.persona.count());
});

test("others than admins, and read-only tokens, neither see nor change personas", async () => {
  const { ctx } = await person("reviewer");
  const id = newId();
  for (const refused of [ctx, admin.token(["read", "write"])]) {
    const forbidden = { code: "forbidden" };
    await expect(listPersonas(refused, { limit: 50 })).rejects.toMatchObject(forbidden);
    await expect(getPersona(refused, id)).rejects.toMatchObject(forbidden);
    await expect(createPersona(refused, input("No"))).rejects.toMatchObject(forbidden);
    await expect(updatePersona(refused, { id, patch: { name: "No" } })).rejects.toMatchObject(forbidden);
    await expect(deletePersona(refused, id)).rejects.toMatchObject(forbidden);
  }
});
