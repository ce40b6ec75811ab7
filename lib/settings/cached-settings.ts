import { processStore } from "@/lib/core/process-store";
import { onWake, wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { getSettings } from "./get-settings";
import type { Settings } from "./schema";

const MAX_AGE_MS = 5_000;

type Cached = { readAt: number; settings: Promise<Settings> };

function cache(): WeakMap<object, Cached> {
  return processStore("cached-settings", () => new WeakMap<object, Cached>());
}

/** The settings for what is asked on every request: as this process last changed them, else at most five seconds old. */
export function cachedSettings(ctx: Ctx): Promise<Settings> {
  const known = cache().get(ctx.database);
  const now = performance.now();
  if (known && now - known.readAt < MAX_AGE_MS) return known.settings;
  const settings = getSettings({ database: ctx.database });
  cache().set(ctx.database, { readAt: now, settings });
  settings.catch(() => cache().delete(ctx.database));
  return settings;
}

/** Called after a change, so that the next request reads anew, in every process of the instance. */
export function forgetCachedSettings(ctx: Ctx): void {
  cache().delete(ctx.database);
  wake("settings");
}

/** Forgets what this process keeps whenever another one has changed the settings. */
export function followSettings(database: Ctx["database"]): () => void {
  return onWake("settings", () => cache().delete(database));
}
