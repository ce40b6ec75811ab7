import { sealEvents } from "@/lib/audit/segments/seal-events";
import type { Ctx } from "@/lib/db/context";
import { getSettings } from "@/lib/settings/get-settings";

/** Files of one turn. */
const MOST_SEGMENTS = 25;

/** Seals what is older than the setting says; answers how many events. Nothing while it is 0. */
export async function sealAudit(ctx: Ctx): Promise<number> {
  const { auditRetentionDays: days } = await getSettings(ctx);
  if (days === 0) return 0;
  let sealed = 0;
  for (let turn = 0; turn < MOST_SEGMENTS; turn++) {
    const count = await sealEvents(ctx, days);
    sealed += count;
    if (count === 0) break;
  }
  return sealed;
}
