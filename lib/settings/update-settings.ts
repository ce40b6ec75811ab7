import { syslogDestination } from "@/lib/audit/forward-sinks";
import { recordEvent } from "@/lib/audit/record-event";
import { hasConnectedAdmin } from "@/lib/auth/providers/connected-sign-ins";
import { readProviders } from "@/lib/auth/providers/read-providers";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { destinationOf } from "@/lib/core/outgoing/outgoing-policy";
import { assertAllowed } from "@/lib/core/outgoing/server-features";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { PatchSettingsInput, Settings } from "./schema";
import { forgetCachedSettings, getSettings } from "./settings";

/** The event holds old and new values. `address_not_allowed` for a forbidden forwarding address. */
export async function updateSettings(ctx: Ctx, input: PatchSettingsInput): Promise<Settings> {
  const actor = requireScope(ctx.actor, "admin");
  const { auditForwardSyslog: syslog, auditForwardWebhook: webhook } = input;
  if (syslog) await assertAllowed("syslog", syslogDestination(syslog));
  if (webhook) await assertAllowed("webhook", destinationOf(webhook));
  const settings = await inTransaction(ctx, async (tx, txCtx) => {
    const before = await getSettings(txCtx);
    if (before.passwordSignIn && input.passwordSignIn === false) await assertPasswordsCanBeDisabled(txCtx);
    const changes = Object.entries(input).filter(([key, value]) => before[key as keyof Settings] !== value);
    for (const [key, value] of changes) {
      const data = { value: JSON.stringify(value), updatedAt: ctx.now(), updatedBy: actor.userId };
      await tx.setting.upsert({ where: { key }, create: { key, ...data }, update: data });
    }
    if (changes.length > 0) {
      const names = changes.map(([key, value]) => `${key} to ${JSON.stringify(value)}`).join(", ");
      await recordEvent(tx, txCtx, {
        action: "settings.update",
        summary: `set ${names}`,
        target: { kind: "settings", id: "settings", name: "Settings" },
        data: {
          before: Object.fromEntries(changes.map(([key]) => [key, before[key as keyof Settings]])),
          after: Object.fromEntries(changes),
        },
      });
    }
    return getSettings(txCtx);
  });
  forgetCachedSettings(ctx);
  return settings;
}

/** Prevents a lockout: an admin must have signed in with a configured provider before. */
async function assertPasswordsCanBeDisabled(ctx: Ctx): Promise<void> {
  const issuers = readProviders(getEnv()).map(({ issuer }) => issuer);
  if (await hasConnectedAdmin(ctx, issuers)) return;
  const message = "needs an admin who signs in with a configured provider. Connect one in your profile first";
  throw new AppError("invalid", `Sign-in by password cannot be switched off: this ${message}.`, {
    errors: [{ path: "passwordSignIn", message }],
  });
}
