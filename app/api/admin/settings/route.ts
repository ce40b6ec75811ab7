import { route } from "@/lib/http/route";
import { PatchSettingsInput, SettingsAnswer } from "@/lib/settings/schema";
import { describeSettings, getSettings } from "@/lib/settings/settings";
import { updateSettings } from "@/lib/settings/update-settings";

export const GET = route({
  access: "admin",
  summary: "All settings with type and default",
  answer: SettingsAnswer,
  answersFrom: "rows",
  handle: async ({ ctx }) => describeSettings(await getSettings(ctx)),
});

export const PATCH = route({
  access: "admin",
  summary: "Change settings",
  body: PatchSettingsInput,
  answer: SettingsAnswer,
  ifMatch: async ({ ctx }) => describeSettings(await getSettings(ctx)),
  handle: async ({ ctx, body }) => describeSettings(await updateSettings(ctx, body)),
});
