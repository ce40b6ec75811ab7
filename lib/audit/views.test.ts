import { expect, test } from "vitest";
import { deleteUser } from "@/lib/auth/people/users";
import { testDatabase } from "@/lib/testing/test-database";
import { SaveViewInput } from "./schema";
import { deleteView, listViews, saveView, updateView } from "./views";

const { database, person } = await testDatabase();
const save = (ctx: Parameters<typeof saveView>[0], name: string, more: object = {}) =>
  saveView(ctx, SaveViewInput.parse({ name, query: "action=run", ...more }));
const names = async (ctx: Parameters<typeof listViews>[0]) => (await listViews(ctx)).items.map(({ name }) => name);

test("a view is private: other people cannot list, change or delete it", async () => {
  const [one, other] = [(await person()).ctx, (await person("admin")).ctx];
  const { id } = await save(one, "Failures");
  expect(await listViews(one)).toMatchObject({ items: [{ id, name: "Failures", query: "action=run" }] });
  expect(await names(other)).toEqual([]);
  await expect(updateView(other, id, { name: "Mine" })).rejects.toMatchObject({ code: "not_found" });
  await expect(deleteView(other, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await names(one)).toEqual(["Failures"]);
});

test("one view is the default at most, a name is there once, and each change is in the audit log", async () => {
  const { ctx, id: userId } = await person();
  const first = await save(ctx, "First", { isDefault: true });
  const second = await save(ctx, "Second", { isDefault: true });
  const defaults = async () =>
    (await listViews(ctx)).items.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  expect(await defaults()).toEqual(["Second"]);
  await updateView(ctx, first.id, { isDefault: true });
  expect(await defaults()).toEqual(["First"]);
  await expect(save(ctx, "First")).rejects.toMatchObject({ code: "conflict" });
  await expect(updateView(ctx, second.id, { name: "First" })).rejects.toMatchObject({ code: "conflict" });
  expect(await updateView(ctx, second.id, { name: "Second", query: "tool=csv" })).toMatchObject({ query: "tool=csv" });
  await deleteView(ctx, second.id);
  expect(await names(ctx)).toEqual(["First"]);
  const events = await database.reader.auditEvent.findMany({ where: { actorId: userId }, orderBy: { seq: "asc" } });
  expect(events.map(({ action }) => action)).toEqual([
    ...["saved_view.create", "saved_view.create"],
    ...["saved_view.update", "saved_view.update", "saved_view.delete"],
  ]);
});

test("fifty are kept, and one must go before the next", async () => {
  const { ctx } = await person();
  for (let count = 0; count < 50; count += 1) await save(ctx, `View ${count}`);
  await expect(save(ctx, "One more")).rejects.toMatchObject({ code: "conflict" });
});

test("removing a person removes their views", async () => {
  const [admin, leaver, stayer] = [await person("admin"), await person(), await person()];
  await save(leaver.ctx, "Mine");
  await save(stayer.ctx, "Mine");
  await deleteUser(admin.ctx, leaver.id);
  const left = await database.reader.savedView.findMany({ where: { userId: { in: [leaver.id, stayer.id] } } });
  expect(left.map(({ userId }) => userId)).toEqual([stayer.id]);
});
