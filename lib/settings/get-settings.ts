import type { Ctx } from "@/lib/db/context";
import { SETTING_DEFAULTS, Settings } from "./schema";

/** All settings: what admins changed over the defaults. A stored value this release does not accept counts as unset. */
export async function getSettings(ctx: Ctx): Promise<Settings> {
  const rows = await ctx.db.setting.findMany();
  const settings: Record<string, unknown> = { ...SETTING_DEFAULTS };
  for (const row of rows) {
    const field = Settings.shape[row.key as keyof Settings];
    const parsed = field?.safeParse(JSON.parse(row.value));
    if (parsed?.success) settings[row.key] = parsed.data;
  }
  return Settings.parse(settings);
}
