import { expect, test } from "vitest";
import { testDatabase } from "@/lib/testing/test-database";
import { PatchModelEndpointInput } from "./models/schema";
import { PatchSettingsInput, SETTING_DEFAULTS } from "./schema";
import { getSettings } from "./settings";
import { updateSettings } from "./update-settings";

const { person, database } = await testDatabase();

test("an admin changes a setting and the event names the old and the new value", async () => {
  const { ctx } = await person("admin");
  await updateSettings(ctx, { soloMode: false });
  expect((await getSettings(ctx)).soloMode).toBe(false);
  const event = await database.reader.auditEvent.findFirstOrThrow({ where: { action: "settings.update" } });
  expect(JSON.parse(event.data)).toEqual({ before: { soloMode: true }, after: { soloMode: false } });
});

test("setting an unchanged value writes nothing", async () => {
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

test.each([
  ["auditForwardFile", "events.ndjson\n"],
  ["auditForwardSyslog", "tcp://logs\n.example.com:601"],
  ["auditForwardWebhook", "https://logs.example.com/\nin"],
  ["auditForwardCredential", "signing\nkey"],
  ["joinDomains", "example.org,\nexample.com"],
  ["joinOrganisations", "acme,\tother"],
  ["joinGroups", "staff\n"],
  ["instanceName", "Skillgate\n"],
  ["marketplaceName", "skillgate\n"],
] as const)("%s takes no control character, and one that is stored counts as unset", async (key, value) => {
  expect(PatchSettingsInput.safeParse({ [key]: value }).error?.issues[0]?.path).toEqual([key]);
  const { id: updatedBy } = await person("admin");
  const row = { value: JSON.stringify(value), updatedAt: new Date(), updatedBy };
  await database.writer.setting.upsert({ where: { key }, create: { key, ...row }, update: row });
  const { ctx } = await person("admin");
  expect((await getSettings(ctx))[key]).toBe(SETTING_DEFAULTS[key]);
});

test("the address of a model takes no control character", () => {
  const baseUrl = "https://models.example.com/v1";
  expect(PatchModelEndpointInput.safeParse({ baseUrl }).success).toBe(true);
  for (const given of [`${baseUrl}\n`, "https://mod\tels.example.com/v1"]) {
    expect(PatchModelEndpointInput.safeParse({ baseUrl: given }).success).toBe(false);
  }
});
