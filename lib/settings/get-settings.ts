import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { SETTING_DEFAULTS, Settings } from "./schema";

type SettingRow = { key: string; value: string };
const ALL = query<SettingRow>(`SELECT "key", "value" FROM "Setting" ORDER BY "key"`);
/** The stored values that were read last, and what they mean. */
let last: { text: string; settings: Settings } | null = null;

/** All settings: what admins changed over the defaults. A stored value this release does not accept counts as unset. */
export async function getSettings(ctx: Pick<Ctx, "database" | "tx">): Promise<Settings> {
  const rows = await sqlOf(ctx).all(ALL);
  const text = JSON.stringify(rows);
  if (last?.text !== text) last = { text, settings: parse(rows) };
  return { ...last.settings };
}

function parse(rows: SettingRow[]): Settings {
  const settings: Record<string, unknown> = { ...SETTING_DEFAULTS };
  for (const row of rows) {
    const field = Settings.shape[row.key as keyof Settings];
    const parsed = field?.safeParse(JSON.parse(row.value));
    if (parsed?.success) settings[row.key] = parsed.data;
  }
  return Settings.parse(settings);
}
