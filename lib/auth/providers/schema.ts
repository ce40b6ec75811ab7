import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import type { SignInRefusal } from "@/lib/policy/decide-sign-in";

export const ProviderId = z.enum(["oidc", "google", "github"]);
export type ProviderId = z.infer<typeof ProviderId>;

/** A provider as pages show it. */
export const ProviderChoice = z.object({ id: ProviderId, name: z.string() });
export type ProviderChoice = z.infer<typeof ProviderChoice>;

/** The ways to sign in that this server offers, in the order of their buttons. */
export type SignInWays = { password: boolean; providers: ProviderChoice[] };

export const ConnectedSignIn = z.object({
  id: z.string(),
  provider: ProviderId,
  providerName: z.string(),
  label: z.string().describe("As the provider calls the account."),
  createdAt: IsoTime,
  lastUsedAt: IsoTime,
});
export type ConnectedSignIn = z.infer<typeof ConnectedSignIn>;

export const ConnectedSignIns = z.object({
  items: z.array(ConnectedSignIn),
  providers: z.array(ProviderChoice).describe("What can be connected here."),
  hasPassword: z.boolean(),
});
export type ConnectedSignIns = z.infer<typeof ConnectedSignIns>;

/** Why a sign-in with a provider did not happen; `error` in the address of the page that says so. Stable. */
export type ProviderSignInCode =
  | SignInRefusal
  | "ProviderDenied"
  | "ProviderUnavailable"
  | "ProviderAnswerRejected"
  | "SignInExpired"
  | "SessionRequired"
  | "AlreadyConnected"
  | "Throttled"
  | "Unavailable";
