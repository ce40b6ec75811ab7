import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { getSettings } from "@/lib/settings/get-settings";

/** Stores the operator’s choice of solo mode before the first admin exists; afterwards it is a setting like the others. */
export async function storeSoloMode(ctx: Ctx, soloMode: boolean): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const before = (await getSettings(txCtx)).soloMode;
    if (before === soloMode) return;
    const data = { value: JSON.stringify(soloMode), updatedAt: ctx.now(), updatedBy: null };
    await tx.setting.upsert({ where: { key: "soloMode" }, create: { key: "soloMode", ...data }, update: data });
    await recordEvent(tx, txCtx, {
      action: "settings.update",
      summary: `set soloMode to ${soloMode}, as the environment says`,
      target: { kind: "settings", id: "settings", name: "Settings" },
      data: { before: { soloMode: before }, after: { soloMode } },
    });
  });
}
