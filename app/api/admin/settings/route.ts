import { route } from "@/lib/http/route";
import { describeSettings } from "@/lib/settings/describe-settings";
import { getSettings } from "@/lib/settings/get-settings";
import { PatchSettingsInput, SettingsAnswer } from "@/lib/settings/schema";
import { updateSettings } from "@/lib/settings/update-settings";

export const GET = route({
  access: "admin",
  summary: "All settings with type and default",
  answer: SettingsAnswer,
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
