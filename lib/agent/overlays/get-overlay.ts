import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { presentOverlay } from "./present-overlay";
import { requireOverlay } from "./require-overlay";
import type { SkillOverlay } from "./schema";

export async function getOverlay(ctx: Ctx, id: string): Promise<SkillOverlay> {
  requireScope(ctx.actor, "read");
  const { row, skill } = await requireOverlay(ctx, id);
  return presentOverlay(ctx, row, skill, await getSettings(ctx));
}

/** The overlay as the file `optimized.toml`. */
export async function getOverlayToml(ctx: Ctx, id: string): Promise<string> {
  requireScope(ctx.actor, "read");
  const { row } = await requireOverlay(ctx, id);
  return row.toml;
}
