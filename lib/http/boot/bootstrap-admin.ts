import { createFirstAdmin, hasAdmin } from "@/lib/auth/create-first-admin";
import { hashPassword } from "@/lib/auth/hash-password";
import { openSetup } from "@/lib/auth/open-setup";
import { registerAdminToken } from "@/lib/auth/register-admin-token";
import { Email } from "@/lib/auth/schema";
import type { Env } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { storeSoloMode } from "./store-solo-mode";

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
