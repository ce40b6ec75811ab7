import { expect, test } from "vitest";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { testDatabase } from "@/lib/testing/test-database";
import { getSkill } from "../get-skill";
import { publishSkill } from "../transfer/publish-skill";
import { getPublisher, listPublishers, updatePublisher, verifyPublisher } from "./publisher-profiles";
import { findPublisher, proposeHandle } from "./publishers";

const { as, database, person } = await testDatabase();
const admin = await person("admin", "Root");
const HOUR_MS = 3_600_000;

test.each([
  [{ name: "Zoë Müller", email: "z@example.test" }, "zoe-muller"],
  [{ name: "李雷", email: "li.lei@example.test" }, "li-lei"],
  [{ name: "李雷", email: "雷@example.test" }, "publisher"],
  [{ name: `--${"a".repeat(60)}--`, email: "a@example.test" }, "a".repeat(34)],
])("the handle for %j is %s", (who, handle) => {
  expect(proposeHandle(who)).toBe(handle);
});

test("people of one name get handles of their own, once", async () => {
  const [first, second] = [await person("user", "Ada Byron"), await person("user", "Ada Byron")];
  const one = await approvedSkill(first.ctx, admin.ctx, { name: "first_pack" });
  const two = await approvedSkill(second.ctx, admin.ctx, { name: "second_pack" });
  expect((await getSkill(admin.ctx, one.id)).publisher).toEqual({
    handle: "ada-byron",
    name: "Ada Byron",
    verified: false,
  });
  expect((await getSkill(admin.ctx, two.id)).publisher.handle).toBe("ada-byron-2");
  expect((await getSkill(second.ctx, two.id)).publisher.handle).toBe("ada-byron-2");
  const made = await database.reader.auditEvent.findMany({
    where: { action: "publisher.create", concernsId: { in: [first.id, second.id] } },
  });
  expect(made.map(({ actorKind }) => actorKind)).toEqual(["system", "system"]);
});

test("what the organisation has is published by the organisation", async () => {
  const owner = await person("user", "Grace");
  const { id } = await approvedSkill(owner.ctx, admin.ctx, { name: "shared_pack" });
  const published = await publishSkill(admin.ctx, id, {});
  const shared = await getSkill(admin.ctx, published.id);
  expect(shared.publisher).toMatchObject({ handle: "org", name: "Organisation" });
  expect(await getPublisher(owner.ctx, "org")).toMatchObject({ kind: "org", skills: 1, editable: false });
});

test("a person of whom one sees no skill is not there; oneself is", async () => {
  const [owner, other] = [await person("user", "Hidden Person"), await person("user", "Other")];
  await approvedSkill(owner.ctx, admin.ctx, { name: "hidden_pack" });
  expect(await getPublisher(owner.ctx, "me")).toMatchObject({ handle: "hidden-person", skills: 1, editable: true });
  await expect(getPublisher(other.ctx, "hidden-person")).rejects.toMatchObject({ code: "not_found" });
  expect(await getPublisher(admin.ctx, "hidden-person")).toMatchObject({ skills: 1 });
  const handles = async (ctx: typeof owner.ctx) =>
    (await listPublishers(ctx, { limit: 100 })).items.map(({ handle }) => handle);
  expect(await handles(owner.ctx)).toContain("hidden-person");
  expect(await handles(other.ctx)).not.toContain("hidden-person");
});

test("the handle changes once a day; the old one redirects for thirty days and stays reserved", async () => {
  const owner = await person("user", "Mover");
  const rival = await person("user", "Rival");
  let now = new Date();
  const ctx = as(owner.actor, () => now);
  expect((await getPublisher(ctx, "me")).handle).toBe("mover");
  expect(await updatePublisher(ctx, "mover", { handle: "moved" })).toMatchObject({ handle: "moved" });
  await expect(updatePublisher(ctx, "moved", { handle: "again" })).rejects.toMatchObject({ code: "conflict" });
  expect((await findPublisher(ctx, "mover"))?.handle).toBe("moved");
  await expect(
    updatePublisher(
      as(rival.actor, () => now),
      "me",
      { handle: "mover" },
    ),
  ).rejects.toMatchObject({
    code: "invalid",
    errors: [{ path: "handle" }],
  });
  now = new Date(now.getTime() + 25 * HOUR_MS);
  expect(await updatePublisher(ctx, "moved", { handle: "again" })).toMatchObject({ handle: "again" });
  expect((await findPublisher(ctx, "mover"))?.handle).toBe("again");
  now = new Date(now.getTime() + 31 * 24 * HOUR_MS);
  expect(await findPublisher(ctx, "mover")).toBeNull();
  expect(
    await updatePublisher(
      as(rival.actor, () => now),
      "me",
      { handle: "mover" },
    ),
  ).toMatchObject({ handle: "mover" });
});

test("`me` and a handle that is taken are refused", async () => {
  const owner = await person("user", "Me");
  expect((await getPublisher(owner.ctx, "me")).handle).toBe("me-2");
  for (const handle of ["me", "org"]) {
    await expect(updatePublisher(owner.ctx, "me", { handle })).rejects.toMatchObject({ code: "invalid" });
  }
});

test("only an admin verifies, and a new name loses the mark unless an admin gives it", async () => {
  const owner = await person("user", "Acme Tools");
  const { handle } = await getPublisher(owner.ctx, "me");
  await expect(verifyPublisher(owner.ctx, handle, true)).rejects.toMatchObject({ code: "forbidden" });
  expect(await verifyPublisher(admin.ctx, handle, true)).toMatchObject({ verified: true });
  expect(await updatePublisher(owner.ctx, handle, { bio: "We make tools." })).toMatchObject({ verified: true });
  expect(await updatePublisher(admin.ctx, handle, { name: "Acme" })).toMatchObject({ verified: true, name: "Acme" });
  expect(await updatePublisher(owner.ctx, handle, { name: "Google" })).toMatchObject({ verified: false });
  const events = await database.reader.auditEvent.findMany({
    where: { targetKind: "publisher", concernsId: owner.id, action: { startsWith: "publisher.v" } },
  });
  expect(events).toHaveLength(1);
});

test("only its person and admins change a profile; only admins that of the organisation", async () => {
  const [owner, other] = [await person("reviewer", "Owner"), await person("reviewer", "Stranger")];
  const { handle } = await getPublisher(owner.ctx, "me");
  await expect(updatePublisher(other.ctx, handle, { bio: "x" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(updatePublisher(other.ctx, "org", { bio: "x" })).rejects.toMatchObject({ code: "forbidden" });
  expect(await updatePublisher(admin.ctx, "org", { bio: "All of us." })).toMatchObject({ bio: "All of us." });
});
