import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { getSettings } from "./get-settings";
import { updateSettings } from "./update-settings";

const { person, database } = await testDatabase();

test("an admin changes a setting and the event names the old and the new value", async () => {
  const { ctx } = await person("admin");
  await updateSettings(ctx, { soloMode: false });
  expect((await getSettings(ctx)).soloMode).toBe(false);
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { action: "settings.update" } });
  expect(JSON.parse(event.data)).toEqual({ before: { soloMode: true }, after: { soloMode: false } });
});

test("setting the value that stands already writes nothing", async () => {
  const { ctx } = await person("admin");
  const before = await database.reader.auditEvent.count();
  await updateSettings(ctx, { instanceName: "Skillgate" });
  expect(await database.reader.auditEvent.count()).toBe(before);
});

test("neither a user nor an admin’s read-only token may change settings", async () => {
  const { ctx } = await person("user");
  await expect(updateSettings(ctx, { soloMode: false })).rejects.toMatchObject({ code: "forbidden" });
  const admin = await person("admin");
  await expect(updateSettings(admin.token(["read"]), { soloMode: false })).rejects.toMatchObject({ code: "forbidden" });
});
