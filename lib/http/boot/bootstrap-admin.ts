import { recordEvent } from "@/lib/audit/record-event";
import { createFirstAdmin, hasAdmin } from "@/lib/auth/create-first-admin";
import { hashPassword } from "@/lib/auth/hash-password";
import { openSetup } from "@/lib/auth/open-setup";
import { registerAdminToken } from "@/lib/auth/register-admin-token";
import { Email } from "@/lib/auth/schema";
import type { Env } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { getSettings } from "@/lib/settings/get-settings";

/**
 * Makes sure there is a way in: the admin and the token the environment names, else, while there is no admin, a fresh
 * one-time set-up link.
 */
export async function bootstrapAdmin(ctx: Ctx, env: Env): Promise<{ setupUrl: string | null }> {
  const { SKILLGATE_ADMIN_EMAIL: email, SKILLGATE_ADMIN_PASSWORD: password, SKILLGATE_ADMIN_TOKEN: token } = env;
  if (!(await hasAdmin(ctx))) {
    if (env.SKILLGATE_SOLO_MODE !== undefined) await storeSoloMode(ctx, env.SKILLGATE_SOLO_MODE);
    if (email !== undefined && password !== undefined) {
      const passwordHash = await hashPassword(password);
      await createFirstAdmin(ctx, { name: "Administrator", email: Email.parse(email), passwordHash });
    }
  }
  if (email !== undefined && token !== undefined) await registerAdminToken(ctx, { email: Email.parse(email), token });
  if (await hasAdmin(ctx)) return { setupUrl: null };
  return { setupUrl: `${env.publicUrl}/setup?token=${await openSetup(ctx)}` };
}

/** Stores the operator’s choice of solo mode before the first admin exists; afterwards it is a setting like the others. */
async function storeSoloMode(ctx: Ctx, soloMode: boolean): Promise<void> {
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
