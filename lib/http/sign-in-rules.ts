import { hasConnectedAdmin } from "@/lib/auth/providers/connected-sign-ins";
import { type Provider, readProviders } from "@/lib/auth/providers/read-providers";
import type { SignInWays } from "@/lib/auth/providers/schema";
import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import type { SignInRules } from "@/lib/policy/decide-sign-in";
import type { Settings } from "@/lib/settings/schema";
import { cachedSettings } from "@/lib/settings/settings";

export async function signInRules(ctx: Ctx): Promise<SignInRules> {
  const settings = await cachedSettings(ctx);
  return {
    passwords: await passwordsCount(ctx, settings),
    connectByEmail: settings.connectByEmail,
    domains: listOf(settings.joinDomains.toLowerCase()),
    organisations: listOf(settings.joinOrganisations.toLowerCase()),
    groups: listOf(settings.joinGroups),
  };
}

export async function getSignInWays(ctx: Ctx): Promise<SignInWays> {
  const password = await passwordsCount(ctx, await cachedSettings(ctx));
  return { password, providers: signInProviders().map(({ id, name }) => ({ id, name })) };
}

export function signInProviders(): Provider[] {
  return readProviders(getEnv());
}

/** Passwords stay disabled only while an admin can sign in without one; removing the provider enables them again. */
async function passwordsCount(ctx: Ctx, { passwordSignIn }: Settings): Promise<boolean> {
  if (passwordSignIn || getEnv().SKILLGATE_PASSWORD_SIGN_IN === true) return true;
  return !(await hasConnectedAdmin(
    ctx,
    signInProviders().map(({ issuer }) => issuer),
  ));
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
